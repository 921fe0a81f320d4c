// Variables whose value is acted on later: code in them is read, and what they move or split is no longer known. A rule asks under every default.
import { describe, expect, test } from 'vitest'
import { decideBatchLine } from './decide-batch.ts'

const DENY = ['Bash(rm -rf *)', 'Bash(git push *)', 'Read(.env*)', 'Write(.env*)', 'Read(~/.ssh/**)', 'Write(secrets/**)']

function decide(command: string, byDefault: string): string {
  const line = { id: 1, tool: 'Bash', input: { command }, allow: ['Bash(*)', 'Read(*)', 'Write(*)'], deny: DENY, default: byDefault }
  return (JSON.parse(decideBatchLine(JSON.stringify(line))) as { decision: string }).decision
}

/** X is the code. */
const carriers = [
  "PROMPT_COMMAND='X'; true",
  "PS4='$(X)'; set -x; true",
  "export PS0='`X`'",
  "declare -x PROMPT_COMMAND='X'",
  "GIT_SSH_COMMAND='X' git fetch",
  "EDITOR='X' crontab -e",
  "env PAGER='X' git log",
  "env 'BASH_FUNC_ls%%=() { X; }' bash -c ls",
  "echo 'X' > s; BASH_ENV=s bash -c true",
  "export BASH_ENV=s; echo 'X' > s; bash -c true",
  "awk '{ system($0) }' <<< 'X'",
  "awk -v c='X' 'BEGIN { system(c) }'",
  "awk 'BEGIN { c | getline }' c='X' a",
]

describe.each(['ask', 'none'])('under default: %s', byDefault => {
  test.each(carriers)('%s', carrier => {
    for (const code of ['rm -rf x', 'git "pu"sh', 'a=(rm -rf x); ${a[@]}', 'cd src; cat ../.env']) {
      const command = carrier.replace('X', code)
      expect([command, decide(command, byDefault)]).toEqual([command, expect.stringMatching(/^(?:ask|deny)$/)])
    }
  })

  test.each([
    'CDPATH=..; cd home; cat .ssh/id_rsa',
    'CDPATH=~; cd .ssh; cat < id_rsa',
    'export CDPATH=/x; cd y; echo x > key',
    'IFS=,; c=rm,-rf,x; $c',
    'c=git:push; IFS=:; $c',
    `cd src; awk -v f=../secrets/key 'BEGIN { print "x" > f }'`,
    "awk 'BEGIN { getline x < f }' f=.env a",
  ])('%s', command => {
    expect(decide(command, byDefault)).toMatch(/^(?:ask|deny)$/)
  })
})

test('harmless values stay as they were', () => {
  expect(decide('cd src; cd ..; cat key', 'ask')).toBe('allow')
  expect(decide("awk -v n=3 '{ print n }' a.txt", 'ask')).toBe('allow')
  expect(decide('while IFS= read -r l; do echo "$l"; done < a.txt', 'ask')).toBe('allow')
})
