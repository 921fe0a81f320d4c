// Who gets to a person's verbs, with the built command, a real daemon and real processes: setsid, double forks, tmux, a namespace, forged
// process numbers over the socket and over HTTP with the real token. Needs setsid, tmux, unshare, script and the build.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askDaemon } from '../wire/daemon-client.ts'
import { runPaths } from '../wire/run-paths.ts'

const bin = fileURLToPath(new URL('../../bin/belay.cjs', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'belay-person-'))
const home = join(folder, 'home')
const project = join(folder, 'project')
const env = { PATH: process.env.PATH, HOME: folder, BELAY_HOME: home, TERM: 'dumb', NO_COLOR: '1' }
const { socket, token } = runPaths(home, env)
const pidFile = join(folder, 'said')

beforeAll(() => {
  mkdirSync(join(project, '.belay'), { recursive: true })
  writeFileSync(join(project, '.belay', 'genesis.key'), 'version: "2.0"\n')
  expect(belay('up', '--detach', '--port', '0').status).toBe(0)
  // What began before this call can be a script of the owner; everything below comes after it.
  const call = { session_id: 's', cwd: project, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' } }
  const hook = ['hook', '--agent', 'claude-code', '--event', 'PreToolUse']
  expect(spawnSync(process.execPath, [bin, ...hook], { cwd: project, env, input: JSON.stringify(call) }).status).toBe(0)
})
afterAll(() => {
  for (const server of servers) spawnSync('tmux', ['-S', server, 'kill-server'], { env })
  belay('down')
  rmSync(folder, { recursive: true, force: true })
})

function belay(...argv: readonly string[]) {
  return spawnSync(process.execPath, [bin, ...argv], { cwd: project, env, encoding: 'utf8' })
}

interface Said {
  readonly code: number
  readonly text: string
}

/** A shell line that runs the command and leaves what it said in a file: whoever runs it may be far from here. */
let runs = 0
function lineOf(argv: string): { readonly line: string; readonly said: () => Promise<Said> } {
  const file = `${pidFile}-${runs++}`
  const line = `cd '${project}'; '${process.execPath}' '${bin}' ${argv} >'${file}.out' 2>&1; echo $? >'${file}.rc'`
  return {
    line,
    async said() {
      while (!existsSync(`${file}.rc`) || readFileSync(`${file}.rc`, 'utf8') === '') await new Promise(resolve => setTimeout(resolve, 50))
      return { code: Number(readFileSync(`${file}.rc`, 'utf8')), text: readFileSync(`${file}.out`, 'utf8') }
    },
  }
}

async function rpc(method: string, params: object): Promise<{ result?: unknown; error?: { message: string; data?: { show?: string } } }> {
  const answer = await askDaemon({ socket, method: 'POST', path: '/v1/rpc', body: { jsonrpc: '2.0', id: 1, method, params } })
  return (answer.kind === 'answer' ? answer.value : {}) as never
}

const VERBS = ['down', 'pause 1h', 'dashboard --print', 'policy trust', 'genesis init --force', 'allow "Bash(*)"', 'agent bind a auditor']

test('a person may: the command, and the entry that says so', () => {
  expect(belay('policy', 'trust')).toMatchObject({ status: 0, stderr: '' })
  expect(belay('dashboard', '--print').stdout).toMatch(/^http:\/\/127\.0\.0\.1/)
  const checks = JSON.parse(belay('ledger', 'query', '--kind', 'person_check', '--json').stdout) as { body: { granted: boolean } }[]
  expect(checks.some(({ body }) => body.granted)).toBe(true)
})

/** Each on a server of its own: one that is about to end takes nobody in. */
const servers: string[] = []
function tmux(argv: readonly string[], server = join(folder, `tmux-${servers.length}`)): string {
  if (!servers.includes(server)) servers.push(server)
  spawnSync('tmux', ['-S', server, ...argv], { env })
  return server
}

const ways: Readonly<Record<string, (line: string) => void>> = {
  'setsid -f': line => void spawnSync('setsid', ['-f', 'sh', '-c', line], { env }),
  'a double fork': line => void spawnSync('setsid', ['sh', '-c', `(sh -c "$LINE" &)`], { env: { ...env, LINE: line } }),
  'nohup in the background': line =>
    void spawnSync('setsid', ['sh', '-c', 'nohup sh -c "$LINE" >/dev/null 2>&1 &'], { env: { ...env, LINE: line } }),
  'script without a parent': line => void spawnSync('setsid', ['-f', 'script', '-qec', line, '/dev/null'], { env, stdio: 'ignore' }),
  'tmux new-session -d': line => void tmux(['new-session', '-d', line]),
  'tmux send-keys': line => {
    const server = tmux(['new-session', '-d', '-s', 'keys', 'sh'])
    tmux(['send-keys', '-t', 'keys', line, 'Enter'], server)
  },
  'tmux run-shell': line => void tmux(['run-shell', '-b', line], tmux(['new-session', '-d', '-s', 'shell', 'sh'])),
  'a namespace of its own': line => void spawn('unshare', ['-Urpf', '--mount-proc', 'sh', '-c', line], { env, stdio: 'ignore' }),
  'the mark of an agent': line => void spawn('sh', ['-c', line], { env: { ...env, CLAUDECODE: '1' }, stdio: 'ignore' }),
}

describe.each(Object.entries(ways))('not by %s', (_name, start) => {
  test.each(VERBS)('%s', async argv => {
    const { line, said } = lineOf(argv)
    start(line)
    const { code, text } = await said()
    expect([code, text]).toEqual([2, expect.stringMatching(/for people/)])
  })
})

test('nothing was done by any of them', () => {
  expect(JSON.parse(belay('status', '--json').stdout)).toMatchObject({ running: true })
  expect(readFileSync(join(project, '.belay', 'genesis.key'), 'utf8')).toBe('version: "2.0"\n')
})

describe('a forged process number', () => {
  const methods = ['daemon.stop', 'dashboard.link', 'daemon.pause', 'approvals.allow', 'agent.bind', 'ledger.rotateKey']

  test.each(methods)('%s over the socket', async method => {
    const sleeper = spawn('sleep', ['60'], { env })
    try {
      const pid = sleeper.pid ?? 0
      const first = await rpc(method, { callerProof: { pid } })
      // Deciding needs a terminal, which this process does not have: it gets no code at all.
      if (method === 'approvals.allow') return expect(first.error?.message).toContain('terminal')
      const code = first.error?.data?.show
      expect(code).toMatch(/^[\w-]{15}$/)
      expect((await rpc(method, { callerProof: { pid, code } })).error?.message).toContain('does not show the code')
      expect((await rpc(method, { callerProof: { pid, code } })).error?.message).toContain('not given for this call')
      expect((await rpc(method, { pid })).error?.message).toContain('is for people')
      expect((await rpc(method, { callerProof: { pid: 1 } })).result).toBeUndefined()
    } finally {
      sleeper.kill()
    }
  })

  test('a code that a person shows is good for that call alone', async () => {
    const script = `process.stdin.once('data', code => { process.title = String(code); console.log('shown') }); setTimeout(() => {}, 60000)`
    const person = spawn(process.execPath, ['-e', script], { env, stdio: ['pipe', 'pipe', 'ignore'] })
    try {
      const { pid = 0 } = person
      const shown = new Promise(resolve => person.stdout.once('data', resolve))
      const { error } = await rpc('agent.bind', { id: 'a', role: 'executor', callerProof: { pid } })
      person.stdin.write(String(error?.data?.show))
      await shown
      const code = error?.data?.show
      expect((await rpc('agent.bind', { id: 'a', role: 'auditor', callerProof: { pid, code } })).error?.message).toContain(
        'not given for this call',
      )
      const again = await rpc('agent.bind', { id: 'a', role: 'executor', callerProof: { pid } })
      expect(again.error?.data?.show).not.toBe(code)
    } finally {
      person.kill()
    }
  })

  test.each(methods)('%s over HTTP with the real token', async method => {
    const { url } = JSON.parse(belay('status', '--json').stdout) as { url: string }
    const headers = { authorization: `Bearer ${readFileSync(token, 'utf8').trim()}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { pid: process.pid, callerProof: { pid: process.pid } } })
    const reply = (await (await fetch(`${url}v1/rpc`, { method: 'POST', headers, body })).json()) as { error?: { message: string } }
    expect(reply.error?.message).toContain('the token is for programs')
  })

  test('every attempt is in the ledger, and a flood of them is cut', async () => {
    const refused = () =>
      (
        JSON.parse(belay('ledger', 'query', '--kind', 'person_check', '-n', '1000', '--json').stdout) as { body: { granted: boolean } }[]
      ).filter(({ body }) => !body.granted).length
    const before = refused()
    expect(before).toBeGreaterThan(20)
    let last = ''
    for (let attempt = 0; attempt < 60; attempt++) last = (await rpc('daemon.stop', {})).error?.message ?? ''
    expect(last).toContain('too many attempts')
    expect(refused() - before).toBeLessThan(40)
    expect(belay('policy', 'trust').status).toBe(0)
  })
})
