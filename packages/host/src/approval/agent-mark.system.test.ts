// The mark of agents with real processes: what an agent starts keeps it, whatever it does with its parents. Needs Linux with bash, setsid,
// prlimit and unshare.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { isMarked, markAgents, markCaller, whyMarksFail } from './agent-mark.ts'
import { listProcesses } from './process-facts.ts'
import { findStanding } from './standing.ts'

const folder = mkdtempSync(join(tmpdir(), 'belay-mark-'))
const started: number[] = []
afterAll(() => {
  for (const pid of started) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
  }
  rmSync(folder, { recursive: true, force: true })
})

/** Nothing of the caller's environment: it may hold the mark of another agent. */
const env = { PATH: process.env.PATH, HOME: folder }

/** Waits for a process of this name, where one is given, with this word among its arguments. */
async function findByWord(word: string, name?: string): Promise<number> {
  for (;;) {
    const pid = listProcesses().find(each => {
      const words = lineOf(each).split('\0')
      return words.includes(word) && (name === undefined || words[0] === name)
    })
    if (pid !== undefined) {
      started.push(pid)
      return pid
    }
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

function lineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

/** A process that is called claude; it runs what it is told once it is marked. */
async function startAgent(command: string): Promise<() => void> {
  const go = join(folder, `go-${started.length}`)
  const word = `agent-${started.length}-${process.pid}`
  const script = `until [ -e '${go}' ]; do sleep 0.02; done; ${command}; sleep 600; true ${word}`
  const child = spawn('bash', ['-c', 'exec -a claude bash -c "$0" "$1"', script, word], { env, stdio: 'ignore' })
  // The shell that becomes it has the word too.
  await findByWord(word, 'claude')
  child.unref()
  return () => writeFileSync(go, '')
}

/** The child of an agent that has no mark yet. Any other Belay on this machine may look for agents at any time: then another one is started. */
async function startUnmarked(): Promise<number> {
  for (;;) {
    const word = `child-${started.length}-${process.pid}`
    const go = await startAgent(`perl -esleep+600 ${word}`)
    go()
    const child = await findByWord(word)
    if (!isMarked(child)) return child
  }
}

const ways: Readonly<Record<string, (sleeper: string) => string>> = {
  'in the background': sleeper => `(${sleeper} &)`,
  'setsid -f': sleeper => `setsid -f ${sleeper}`,
  'an empty environment': sleeper => `env -i setsid -f ${sleeper}`,
  'a double fork': sleeper => `setsid sh -c '(${sleeper} &)'`,
  'namespaces of its own': sleeper => `setsid -f unshare -Urpf --mount-proc ${sleeper}`,
  'a limit that is lowered further': sleeper => `(ulimit -x 7; setsid -f ${sleeper})`,
}

test.each(Object.entries(ways))('an orphan of an agent is an agent: %s', async (_name, leave) => {
  const word = `orphan-${started.length}-${process.pid}`
  const go = await startAgent(leave(`perl -esleep+600 ${word}`))
  await markAgents()
  go()
  const pid = await findByWord(word)
  expect(isMarked(pid)).toBe(true)
  expect(findStanding(pid)).toMatchObject({ kind: 'agent' })
})

test('what an agent had started before is marked with it, and what is beside it is not', async () => {
  const child = await startUnmarked()
  const beside = spawn('sleep', ['600'], { env, stdio: 'ignore' })
  started.push(beside.pid ?? 0)
  await markAgents()
  expect([isMarked(child), isMarked(beside.pid ?? 0), isMarked(process.pid)]).toEqual([true, false, false])
})

test('a client looks for other agents until its own is marked', async () => {
  let looks = 0
  const look = (): Promise<void> => {
    looks++
    return markAgents()
  }
  const mine = await startUnmarked()
  await markCaller(mine, look)
  expect(isMarked(mine)).toBe(true)
  const other = await startUnmarked()
  looks = 0
  await markCaller(mine, look)
  expect(looks).toBe(0)
  // Nobody whom we know is above the first process of the machine.
  await markCaller(1, look)
  expect(looks).toBe(0)
  await markCaller(other)
  expect(isMarked(other)).toBe(true)
})

test('marks count exactly where a process cannot take its own off', () => {
  const raised = spawnSync('sh', ['-c', 'prlimit --locks=5:5 prlimit --locks=unlimited true'], { env })
  expect(whyMarksFail() === null).toBe(raised.status !== 0)
})
