// Node opens its debugger, without a password, in a process that gets SIGUSR1: `node inspect -p PID` would be inside the daemon. Needs Linux
// and the build.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'

const bin = fileURLToPath(new URL('../../bin/belay.cjs', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'belay-debugger-'))
const env = { PATH: process.env.PATH, HOME: folder, BELAY_HOME: join(folder, 'home') }
const belay = (...words: readonly string[]) => spawnSync(process.execPath, [bin, ...words], { cwd: folder, env, encoding: 'utf8' })
afterAll(() => {
  belay('down')
  rmSync(folder, { recursive: true, force: true })
})

/** How many ports a process listens on. */
function countPorts(pid: number): number {
  const listening = readFileSync(`/proc/${pid}/net/tcp`, 'utf8')
    .split('\n')
    .map(line => line.trim().split(/\s+/))
    .filter(([, , , state]) => state === '0A')
    .map(fields => `socket:[${fields[9]}]`)
  const open = readdirSync(`/proc/${pid}/fd`).map(name => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${name}`)
    } catch {
      return ''
    }
  })
  return listening.filter(socket => open.includes(socket)).length
}

test('the daemon opens no debugger, where another process does', async () => {
  mkdirSync(join(folder, 'home'))
  expect(belay('up', '--detach', '--port', '0').status).toBe(0)
  const { pid } = JSON.parse(readFileSync(join(folder, 'home', 'run', 'daemon.json'), 'utf8')) as { pid: number }
  const before = countPorts(pid)
  process.kill(pid, 'SIGUSR1')
  // Begun later: when it has its debugger, the daemon would have had its own.
  const other = spawn(process.execPath, ['--inspect-port=0', '-e', 'console.log(1); setInterval(() => {}, 1000)'], { env })
  await new Promise(resolve => other.stdout.once('data', resolve))
  other.kill('SIGUSR1')
  while (countPorts(other.pid ?? 0) === 0) await new Promise(resolve => setTimeout(resolve, 20))
  other.kill('SIGKILL')
  expect(before).toBe(1)
  expect(countPorts(pid)).toBe(before)
})
