import { describe, expect, test } from 'vitest'
import { type Ending, FIRST_LIFE, planRestart } from './plan-restart.ts'

const LIMITS = { quickMs: 10_000, backoffMs: 1000, mostQuick: 3 }
const END: Ending = { exitCode: 0, signal: null, livedMs: 60_000, order: null, isAskedToEnd: false }
const FULL = { reason: 'the context window is full', prompt: 'next' }
const AGAIN = { restarts: 1, quick: 1, prompt: 'go on' }

const CASES: readonly [title: string, lives: typeof AGAIN | typeof FIRST_LIFE, ending: Partial<Ending>, plan: object][] = [
  ['done: its exit code', FIRST_LIFE, {}, { kind: 'end', exitCode: 0, why: null }],
  ['failed by itself at once: its exit code', FIRST_LIFE, { exitCode: 7, livedMs: 1 }, { kind: 'end', exitCode: 7, why: null }],
  [
    'handed over after a long life: at once',
    AGAIN,
    { order: { reason: 'the next iteration of its objective', prompt: 'next' } },
    { kind: 'restart', delayMs: 0, why: 'the next iteration of its objective', lives: { restarts: 2, quick: 0, prompt: 'next' } },
  ],
  [
    'handed over, killed for it: that is no crash',
    FIRST_LIFE,
    { order: FULL, exitCode: null, signal: 'SIGTERM' },
    { kind: 'restart', delayMs: 0, why: 'the context window is full', lives: { restarts: 1, quick: 0, prompt: 'next' } },
  ],
  [
    'crashed: after a while',
    FIRST_LIFE,
    { exitCode: null, signal: 'SIGSEGV' },
    { kind: 'restart', delayMs: 1000, why: 'it crashed (SIGSEGV)', lives: { restarts: 1, quick: 0, prompt: null } },
  ],
  [
    'failed at once after a restart: a crash, with the same prompt, later',
    AGAIN,
    { exitCode: 1, livedMs: 5 },
    { kind: 'restart', delayMs: 2000, why: 'it crashed (exit 1)', lives: { restarts: 2, quick: 2, prompt: 'go on' } },
  ],
  [
    'the same once too often: gives up',
    { ...AGAIN, quick: 2 },
    { exitCode: 1, livedMs: 5 },
    { kind: 'end', exitCode: 1, why: 'it ended 3 times within 10 s of its start, last by exit 1' },
  ],
  [
    'ended on request, by signal',
    FIRST_LIFE,
    { exitCode: null, signal: 'SIGTERM', isAskedToEnd: true },
    { kind: 'end', exitCode: 143, why: null },
  ],
  ['ended on request while handing over', FIRST_LIFE, { order: FULL, isAskedToEnd: true }, { kind: 'end', exitCode: 0, why: null }],
]

describe('after the agent ended', () => {
  for (const [title, lives, ending, plan] of CASES)
    test(title, () => expect(planRestart(lives, { ...END, ...ending }, LIMITS)).toEqual(plan))
})
