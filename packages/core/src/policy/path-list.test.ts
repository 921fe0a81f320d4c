// git reads lists of paths from its standard input and from files: a rule about a file holds in a list as it does for an operand.
import { describe, expect, test } from 'vitest'
import { decideBatchLine } from './decide-batch.ts'

const ALLOW = ['Bash(*)', 'Read(*)', 'Write(*)']

function decide(command: string, allow: readonly string[] = ALLOW, byDefault = 'ask'): string {
  const request = { tool: 'Bash', input: { command }, allow, deny: ['Read(.env*)', 'Write(.env*)'], default: byDefault }
  return (JSON.parse(decideBatchLine(JSON.stringify(request))) as { decision: string }).decision
}

const takers = [
  'git add --pathspec-from-file=-',
  'git add --pathspec-from-file -',
  'git add --pathspec-from=- -v',
  'git -C . rm -f --pathspec-from-file=/dev/stdin',
  'git commit -m x --pathspec-from-file=-',
  'git checkout HEAD --pathspec-from-file=-',
  'git restore -s HEAD --pathspec-from-file=-',
  'git stash --pathspec-from-file=-',
  'git stash push --pathspec-from-file=-',
  'git checkout-index -f --stdin',
  'git update-index --add --stdin',
  'git hash-object -w --stdin-paths',
]
const readers = ['git cat-file --batch', "git cat-file --batch='%(objectname) %(rest)'", 'git cat-file --batch-command', 'git show --stdin']
/** T: what takes the list, N: a line of it. */
const feeds = ["T <<< 'N'", "echo 'N' | T", "printf '%s\\n' a 'N' | T", 'T <<E\na\nN\nE', "T < <(echo 'N')"]

function commands(programs: readonly string[], lines: readonly string[]): readonly string[] {
  return programs.flatMap(taker => feeds.flatMap(feed => lines.map(line => feed.replace('T', taker).replace('N', line))))
}

describe('a kept file in a list', () => {
  test.each(commands(takers, ['.env', './.env.local', '"\\056env"']))('%s', command => {
    expect(decide(command)).not.toBe('allow')
  })
  test.each(commands(readers, ['HEAD:.env', 'contents HEAD:.env', ':.env x']))('%s', command => {
    expect(decide(command)).not.toBe('allow')
    expect(decide(command, ['Bash(@read-only)'], 'none')).not.toBe('allow')
  })
})

test.each(['git add --pathspec-from-file=list', 'cat list | git rm --pathspec-from-file=-', 'git cat-file --batch < list'])(
  '%s: a list that nobody sees asks',
  command => {
    expect(decide(command)).toBe('ask')
  },
)

test.each([
  ...commands(takers.slice(0, 1), ['src/a.ts']),
  'git cat-file --batch <<< HEAD:src/a.ts',
  "git rev-list --objects --all | git cat-file --batch-check='%(objecttype) %(rest)'",
  'git rev-list --all | git cat-file --batch',
  'git cat-file --batch-all-objects --batch-check',
  'git hash-object --stdin <<< .env',
])('%s is allowed', command => {
  expect(decide(command)).toBe('allow')
})
