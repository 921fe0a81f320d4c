// `belay-hub demo` as a newcomer runs it: it checks itself and ends well, and Ctrl-C leaves nothing behind.
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'

const HUB = fileURLToPath(new URL('../packages/hub/bin/belay-hub.cjs', import.meta.url))
/** It starts some thirty programs one after another. */
const PATIENCE_MS = 600_000
let folder: string
let running: ChildProcess | undefined

beforeEach(() => {
  // Short: sockets lie below it.
  folder = mkdtempSync(join(tmpdir(), 'bd-'))
  // A server that root starts as nobody must get into it.
  chmodSync(folder, 0o755)
})
afterEach(async () => {
  if (running?.exitCode === null) {
    const gone = new Promise(resolve => running?.once('close', resolve))
    running.kill('SIGTERM')
    await gone
  }
  rmSync(folder, { recursive: true, force: true })
}, PATIENCE_MS)

function start(...args: string[]): { child: ChildProcess; said: () => string; ended: Promise<number | null> } {
  const env = { PATH: process.env.PATH, HOME: folder, TMPDIR: folder }
  const child = spawn(process.execPath, [HUB, 'demo', ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  running = child
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      text += String(chunk)
    })
  return { child, said: () => text, ended: new Promise(resolve => child.once('close', resolve)) }
}

/** Programs whose command line names the folder. */
function living(): string[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(pid => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        const env = readFileSync(`/proc/${pid}/environ`, 'utf8')
        return words.includes(folder) || env.includes(`TMPDIR=${folder}`) ? [words.replaceAll('\0', ' ')] : []
      } catch {
        return []
      }
    })
}

test(
  '--once checks the team and ends with 0',
  async () => {
    const { said, ended } = start('--once')
    expect({ code: await ended, said: said() }).toMatchObject({ code: 0, said: expect.stringContaining('6 passed, 0 failed') })
    expect([living(), readdirSync(folder).filter(name => name.startsWith('b'))]).toEqual([[], []])
  },
  PATIENCE_MS,
)

test(
  'Ctrl-C while agents are at work puts everything away',
  async () => {
    const { child, said, ended } = start('--no-open')
    // Where it cannot begin, what it said about that tells more than the time that is over.
    await expect.poll(() => child.exitCode !== null || said().includes('#token='), { timeout: PATIENCE_MS }).toBe(true)
    expect(said()).toContain('#token=')
    child.kill('SIGINT')
    // npm passes on what the terminal has already sent.
    child.kill('SIGINT')
    expect(await ended).toBe(0)
    expect([living(), readdirSync(folder).filter(name => name.startsWith('b'))]).toEqual([[], []])
  },
  PATIENCE_MS,
)
