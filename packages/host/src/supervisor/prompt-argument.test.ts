import { describe, expect, test } from 'vitest'
import { withPrompt } from './prompt-argument.ts'

const CASES: readonly [command: string[], restarted: string[] | null][] = [
  [['claude'], ['claude', 'P']],
  [
    ['/usr/bin/claude', 'fix the bug'],
    ['/usr/bin/claude', 'P'],
  ],
  [
    ['claude', '-p', 'fix'],
    ['claude', '-p', 'P'],
  ],
  [
    ['claude', '-p', '--model', 'opus', 'fix it'],
    ['claude', '-p', '--model', 'opus', 'P'],
  ],
  [
    ['claude', '-p', 'fix it', '--output-format', 'json', '--allowedTools', 'Bash,Task'],
    ['claude', '-p', 'P', '--output-format', 'json', '--allowedTools', 'Bash,Task'],
  ],
  [
    ['claude', '--model', 'opus'],
    ['claude', '--model', 'opus', 'P'],
  ],
  [
    ['claude', '--model=opus', 'fix'],
    ['claude', '--model=opus', 'P'],
  ],
  [
    ['claude', '--continue'],
    ['claude', 'P'],
  ],
  [
    ['claude', '--resume', 'abc-1', '--verbose'],
    ['claude', '--verbose', 'P'],
  ],
  [
    ['claude', '--resume=abc-1'],
    ['claude', 'P'],
  ],
  [
    ['claude', '-r', '--verbose'],
    ['claude', '--verbose', 'P'],
  ],
  [['codex'], ['codex', 'P']],
  [
    ['codex', 'exec'],
    ['codex', 'exec', 'P'],
  ],
  [
    ['codex', 'exec', '--json', 'fix'],
    ['codex', 'exec', '--json', 'P'],
  ],
  [
    ['codex', 'exec', 'fix the bug'],
    ['codex', 'exec', 'P'],
  ],
  [
    ['gemini', '-p', 'fix', '--yolo'],
    ['gemini', '-p', 'P', '--yolo'],
  ],
  [
    ['gemini', '--prompt=fix'],
    ['gemini', '--prompt=P'],
  ],
  [['gemini'], ['gemini', 'P']],
  [['my-agent', 'fix'], null],
]

describe('starting an agent anew with a prompt', () => {
  for (const [command, restarted] of CASES) test(command.join(' '), () => expect(withPrompt(command, 'P')).toEqual(restarted))
})
