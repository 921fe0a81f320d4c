// Real small programs under the supervisor: one that ignores SIGTERM, one that leaves children behind, one that dies at once.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readProcess } from '@belay/core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { RestartOrder } from './plan-restart.ts'
import { type SuperviseOptions, supervise } from './supervise.ts'

let folder = ''
let signal: (name: NodeJS.Signals) => void = () => undefined
let order: (given: RestartOrder) => void = () => undefined
let gaveUp: string[] = []
let said: string[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'belay-run-'))
  said = []
  gaveUp = []
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function run(script: string, options: Partial<SuperviseOptions> = {}): Promise<number> {
  return supervise({
    command: ['sh', '-c', script],
    cwd: folder,
    env: { PATH: process.env.PATH },
    runId: `run-${folder.slice(-6)}`,
    agentId: 'worker-1',
    recoveryFile: join(folder, 'recovery.md'),
    link: {
      onRestart: listener => {
        order = listener
      },
      next: async () => null,
      giveUp: why => void gaveUp.push(why),
      close: async () => undefined,
    },
    signals: listener => {
      signal = listener
      return () => undefined
    },
    hasTerminal: false,
    limits: { quickMs: 10_000, backoffMs: 5, mostQuick: 3 },
    graceMs: 400,
    say: text => said.push(text),
    ...options,
  })
}

const read = (name: string): string => readFileSync(join(folder, name), 'utf8').trim()
const pids = (name: string): number[] => read(name).split(/\s+/).map(Number)
const alive = (list: readonly number[]): number[] => list.filter(pid => readProcess(pid) !== null)

async function until(check: () => boolean): Promise<void> {
  while (!check()) await new Promise(resolve => setTimeout(resolve, 10))
}

/** Once the script has written its file completely. */
const ready = (name: string) => until(() => existsSync(join(folder, name)) && readFileSync(join(folder, name), 'utf8').endsWith('\n'))

describe('the exit code is the child’s', () => {
  for (const [script, code] of [
    ['exit 0', 0],
    ['exit 7', 7],
  ] as const)
    test(script, async () => expect(await run(script)).toBe(code))
  test('a program that is not there', async () => {
    expect(await run('', { command: ['no-such-program-of-anyone'] })).toBe(127)
    expect(said).toEqual(['no-such-program-of-anyone cannot be started: there is no such program (or the directory is gone)'])
  })
  test('something that is no program', async () => expect(await run('', { command: [folder] })).toBe(126))
})

test('the agent knows its id, its run and its recovery file', async () => {
  await run('echo "$AGENT_ID $BELAY_RUN_ID $BELAY_RECOVERY_FILE" > env')
  expect(read('env')).toBe(`worker-1 run-${folder.slice(-6)} ${join(folder, 'recovery.md')}`)
})

describe('signals', () => {
  test('are passed on', async () => {
    const ended = run("trap 'exit 9' USR1; echo up > up; while :; do sleep 0.05; done")
    await ready('up')
    signal('SIGUSR1')
    expect(await ended).toBe(9)
  })
  test('SIGINT from a terminal has reached the agent already', async () => {
    const ended = run("trap 'echo twice > twice' INT; trap 'exit 3' TERM; echo up > up; while :; do sleep 0.05; done", {
      hasTerminal: true,
    })
    await ready('up')
    signal('SIGINT')
    signal('SIGTERM')
    expect(await ended).toBe(3)
    expect(existsSync(join(folder, 'twice'))).toBe(false)
  })
  test('an agent that ignores SIGTERM is ended for good, with its children', async () => {
    const ended = run("trap '' TERM; sleep 1000 & sleep 1001 & echo $$ $! > up; while :; do sleep 0.05; done")
    await ready('up')
    signal('SIGTERM')
    expect(await ended).toBe(137)
    expect(alive(pids('up'))).toEqual([])
    expect(said).toEqual([])
  })
})

describe('nothing stays behind', () => {
  test('children of an agent that ended by itself, also those whose parent is gone', async () => {
    const script = '(sleep 1000 & echo $! > one); sh -c "sleep 1001 & echo \\$! > two"; sleep 1002 & echo $! > three'
    expect(await run(script)).toBe(0)
    expect(alive([...pids('one'), ...pids('two'), ...pids('three')])).toEqual([])
  })
  test('children of a restarted agent, also in a session of their own and deaf to SIGTERM', async () => {
    const deaf = `trap "" TERM; echo $$ > deaf; while :; do sleep 0.05; done`
    const first = `setsid sh -c '${deaf}' & echo $! > child; wait`
    const ended = run(`if [ -e "$BELAY_RECOVERY_FILE" ]; then exit 0; fi; ${first}`)
    await Promise.all([ready('deaf'), ready('child')])
    order({ reason: 'the window is full', prompt: 'go on' })
    expect(await ended).toBe(0)
    expect(alive([...pids('deaf'), ...pids('child')])).toEqual([])
  })
  test('but what a dead parent detached on purpose', async () => {
    expect(await run(`setsid sh -c 'echo $$ > daemon; exec sleep 1000' & until [ -s daemon ]; do sleep 0.01; done`)).toBe(0)
    const [pid = 0] = pids('daemon')
    expect(alive([pid])).toEqual([pid])
    process.kill(pid, 'SIGKILL')
  })
})

describe('handing over', () => {
  test('the agent is ended and started with what to go on with', async () => {
    const ended = run(
      'if [ -e "$BELAY_RECOVERY_FILE" ]; then cat "$BELAY_RECOVERY_FILE" > seen; exit 5; fi; echo up > up; exec sleep 1000',
      {
        limits: { quickMs: 0, backoffMs: 5, mostQuick: 3 },
      },
    )
    await ready('up')
    order({ reason: 'the next round begins', prompt: 'Continue effort 3' })
    expect(await ended).toBe(5)
    expect(read('seen')).toBe('Continue effort 3')
    expect(said).toEqual(['the next round begins; starting it again'])
    expect(existsSync(join(folder, 'recovery.md'))).toBe(false)
  })
  test('an order that is found after the agent ended by itself', async () => {
    const waiting = ['iteration 2', 'iteration 3'].map(prompt => ({ reason: 'the next one begins', prompt }))
    const quiet = { onRestart: () => undefined, giveUp: () => undefined, close: async () => undefined }
    const link = { ...quiet, next: async () => waiting.shift() ?? null }
    expect(await run('echo life >> lives', { link })).toBe(0)
    expect(read('lives').split('\n')).toHaveLength(3)
  })
  test('is over when the person says so while it waits', async () => {
    const ended = run('kill -SEGV $$', { limits: { quickMs: 10_000, backoffMs: 60_000, mostQuick: 3 } })
    await until(() => said.length > 0)
    signal('SIGTERM')
    expect(await ended).toBe(143)
  })
})

test('a crash loop is given up, and says so', async () => {
  expect(await run('echo life >> lives; kill -SEGV $$')).toBe(139)
  expect(read('lives').split('\n')).toHaveLength(3)
  expect(said).toEqual([
    'it crashed (SIGSEGV); starting it again in 0.005 s',
    'it crashed (SIGSEGV); starting it again in 0.01 s',
    'giving up: it ended 3 times within 10 s of its start, last by SIGSEGV. Start it by hand to see what is wrong.',
  ])
  expect(gaveUp).toEqual(['it ended 3 times within 10 s of its start, last by SIGSEGV'])
})
