// The same text can be two commands: `$c` is what the subshell around it says. Each is judged for itself.
import { describe, expect, test } from 'vitest'
import { decideBatchLine } from './decide-batch.ts'

type Decision = 'allow' | 'ask' | 'deny'

const ALLOW = ['Bash(ls *)', 'Bash(echo *)', 'Bash(git status *)', 'Bash(rm *)', 'Bash(cat *)', 'Read(*)', 'Write(*)']
const DENY = ['Bash(rm -rf *)', 'Bash(git push *)', 'Read(.env*)', 'Write(.env*)']

function decide(command: string, allow: readonly string[]): Decision {
  const line = JSON.stringify({ id: 1, tool: 'Bash', input: { command }, allow, deny: DENY })
  return (JSON.parse(decideBatchLine(line)) as { decision: Decision }).decision
}

/** Where each of the two commands stands; both have the same text. */
const containers: Readonly<Record<string, (one: string, other: string, text: string) => string>> = {
  subshells: (one, other, text) => `(v=${one}; ${text}); (v=${other}; ${text})`,
  'a pipe': (one, other, text) => `(v=${one}; ${text}) | (v=${other}; ${text})`,
  substitutions: (one, other, text) => `echo $(v=${one}; ${text}) $(v=${other}; ${text})`,
  'process substitutions': (one, other, text) => `cat <(v=${one}; ${text}) <(v=${other}; ${text})`,
  loops: (one, other, text) => `for v in ${one}; do ${text}; done; for v in ${other}; do ${text}; done`,
  'a loop and a subshell': (one, other, text) => `for v in ${one}; do ${text}; done; (v=${other}; ${text})`,
  'the background': (one, other, text) => `(v=${one}; ${text}) & (v=${other}; ${text}) & wait`,
  'code of shells': (one, other, text) => `sh -c 'v=${one}; ${text}'; sh -c 'v=${other}; ${text}'`,
  'groups in a pipe': (one, other, text) => `{ v=${one}; ${text}; } | { v=${other}; ${text}; }`,
  'a condition': (one, other, text) => `if (v=${one}; ${text}); then (v=${other}; ${text}); fi`,
}

/** A text, a harmless value and one that is not. */
const spellings: readonly (readonly [string, string, string])[] = [
  ['$v', 'ls', './evil'],
  ['$v x', 'echo', '/tmp/evil'],
  ['$v -rf x', 'echo', 'rm'],
  ['"$v" -rf x', 'echo', 'rm'],
  ['rm $v x', '-v', '-rf'],
  ['rm "$v" x', '-v', '-rf'],
  ['git $v', 'status', 'push'],
  ['git ${v}', 'status', 'push'],
  ['cat $v', 'a', '.env'],
  ['cat < $v', 'a', '.env'],
  ['echo x > $v', 'a', '.env'],
]

describe.each(Object.entries(containers))('in %s', (_, write) => {
  test.each(spellings)('%s', (text, harmless, hostile) => {
    for (const allow of [ALLOW, ['Bash(*)', 'Read(*)', 'Write(*)']]) {
      const alone = decide(write(hostile, hostile, text), allow)
      // A program that no rule names is what `Bash(*)` is there for.
      if (!hostile.includes('evil') || allow === ALLOW) expect(alone).not.toBe('allow')
      for (const command of [write(harmless, hostile, text), write(hostile, harmless, text)])
        expect([command, decide(command, allow)]).toEqual([command, alone])
    }
  })
})

test('twice the same is as good as once', () => {
  expect(decide('(c=ls; $c); (c=ls; $c)', ALLOW)).toBe('allow')
})
