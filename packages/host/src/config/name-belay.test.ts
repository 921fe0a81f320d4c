// Texts name the program as the reader's shell finds it, and leave alone what they only quote.
import { expect, test } from 'vitest'
import { nameBelay } from './name-belay.ts'

test.each([
  ['finish it first: belay effort finish', 'finish it first: /x/belay.cjs effort finish'],
  ['run `belay up`, then "belay why"', 'run `/x/belay.cjs up`, then "/x/belay.cjs why"'],
  ['(belay approvals)', '(/x/belay.cjs approvals)'],
  // No command of ours.
  [
    'Belay up there; the belay daemon; /opt/belay log; my-belay log; belay.',
    'Belay up there; the belay daemon; /opt/belay log; my-belay log; belay.',
  ],
])('%s', (text, expected) => {
  expect(nameBelay(text, '/x/belay.cjs')).toBe(expected)
  expect(nameBelay(text, 'belay')).toBe(text)
})

test.each<[string, string, string]>([
  [
    '"belay up --detach" is forbidden by the rule Bash(belay up *) (a:1:2); ask: belay approvals',
    'belay up --detach',
    '"belay up --detach" is forbidden by the rule Bash(belay up *) (a:1:2); ask: /x/belay.cjs approvals',
  ],
  ['the rule Bash(sudo belay up *)', '', 'the rule Bash(sudo belay up *)'],
  // Marks inside what is quoted, and a line that was cut.
  ['"sh -c "belay down"" is not allowed (belay why)', 'x; sh -c "belay down"', '"sh -c "belay down"" is not allowed (/x/belay.cjs why)'],
  ['"echo a belay log b..." needs a person', 'echo a\n  belay log bcd', '"echo a belay log b..." needs a person'],
  // Only what the call itself says is a quotation.
  ['say "belay why"', 'ls', 'say "/x/belay.cjs why"'],
  ['belay log first', 'belay log first', '/x/belay.cjs log first'],
])('%s, about %s', (text, given, expected) => expect(nameBelay(text, '/x/belay.cjs', given)).toBe(expected))
