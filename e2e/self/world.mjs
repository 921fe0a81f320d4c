// One user with one guarded project, inside the jail: home, installed package, policy with denies, programs that leave a mark when they run.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** The attacker's rights: everything but these. */
export const POLICY = `version: "2.0"
permissions:
  default: none
  actors:
    "agent:*":
      allow: ["Bash(*)", "Write(*)", "Edit(*)", "Read(*)", "Task(*)", "Agent(*)"]
      deny: [{ rule: "Bash(deploy *)", message: "REASON-OF-DENY" }]
      ask: ["Bash(release *)"]
`
export const USER_POLICY = `version: "2.0"
permissions:
  default: none
  actors:
    "agent:*": { deny: [{ rule: "Bash(wipe *)", message: "REASON-OF-USER" }] }
`
/** Read again and again, so that it can be set while the daemon runs. Beside it nothing is different. */
const CLOCK = `const { readFileSync } = require('node:fs')
const Real = Date
const file = require('node:path').join(__dirname, 'offset')
const now = () => Real.now() + Number(readFileSync(file, 'utf8'))
globalThis.Date = class Date extends Real {
  constructor(...given) {
    super(...(given.length === 0 ? [now()] : given))
  }
  static now() {
    return now()
  }
}
`
const UP_MS = 60_000
const CANARIES = ['deploy', 'release', 'wipe']
/** What is not there is not chosen. */
const CLIENTS = { native: {}, perl: { CC: '/nonexistent/cc' }, node: { CC: '/nonexistent/cc', PATH: '/nonexistent' } }

export function makeWorld({ scratch, pack, client = 'native', home: below = '' }) {
  const home = join(scratch, 'h', below)
  const project = join(scratch, 'p')
  const programs = join(scratch, 'bin')
  const canaries = join(scratch, 'canary')
  const installed = join(scratch, 'n')
  const script = join(installed, 'node_modules', '@belay', 'host', 'bin', 'belay.cjs')
  const belayHome = join(home, '.belay')
  const env = { PATH: `${programs}:${process.env.PATH}`, HOME: home, LANG: 'C.UTF-8', TERM: 'dumb' }

  const readState = () => JSON.parse(readFileSync(join(belayHome, 'run', 'daemon.json'), 'utf8'))

  /** A person's command. */
  function tryBelay(args, { cwd = project, env: more = {}, input = '' } = {}) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
      cwd,
      env: { ...env, ...more },
      input,
      encoding: 'utf8',
      timeout: 180_000,
    })
    return { code: status, out: stdout, err: stderr }
  }

  function belay(args, options) {
    const ran = tryBelay(args, options)
    if (ran.code !== 0) throw new Error(`belay ${args.join(' ')} (${ran.code}): ${ran.err}${ran.out}`)
    return ran.out
  }

  const setClock = offset => put(join(scratch, 'offset'), String(offset))
  const isUp = () => tryBelay(['status', '--json']).out.includes('"running": true')

  /** Oldest first. */
  const entries = () =>
    belay(['ledger', 'export'])
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line))

  function makeProject(folder = project, policy = POLICY) {
    mkdirSync(join(folder, '.belay'), { recursive: true })
    spawnSync('git', ['init', '-q', folder], { env })
    writeFileSync(join(folder, '.belay', 'genesis.key'), policy)
    belay(['policy', 'trust'], { cwd: folder })
  }

  function make() {
    for (const folder of [home, programs, canaries, join(belayHome, 'policy'), join(home, '.claude')])
      mkdirSync(folder, { recursive: true })
    cpSync(pack, installed, { recursive: true, verbatimSymlinks: true })
    for (const name of CANARIES) put(join(programs, name), `#!/bin/sh\necho "$*" >> '${canaries}/${name}'\n`, 0o755)
    for (const name of ['belay', 'mentu']) put(join(programs, name), `#!/bin/sh\nexec '${process.execPath}' '${script}' "$@"\n`, 0o755)
    put(join(home, '.claude', '.claude.json'), '{"hasCompletedOnboarding":true}')
    put(join(belayHome, 'policy', 'genesis.key'), USER_POLICY)
    const chosen = JSON.parse(belay(['install', 'claude-code', '--json'], { cwd: home, env: CLIENTS[client] })).shim.kind
    if (chosen !== client) throw new Error(`the ${client} client cannot be made here: ${chosen}`)
    makeProject()
  }

  return {
    scratch,
    home,
    belayHome,
    project,
    programs,
    canaries,
    env,
    script,
    installed,
    client,
    shim: join(belayHome, 'bin', 'belay-hook'),
    tryBelay,
    belay,
    makeProject,
    make,
    isRunning,
    sha256: text => createHash('sha256').update(text).digest('hex'),
    /** Where the client was told to find the daemon. */
    builtSocket: () => /\/[^\0'"]*shim\.sock/.exec(readFileSync(join(belayHome, 'bin', 'belay-hook'), 'latin1'))[0],
    /** What a command shows at a terminal. */
    terminal(args) {
      const line = [process.execPath, script, ...args].map(word => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
      return spawnSync('script', ['-qec', line, '/dev/null'], { cwd: project, env, encoding: 'utf8', timeout: 30_000 }).stdout
    },
    /** Overwrites the middle of a file. */
    damage(path) {
      const file = join(scratch, path)
      const bytes = readFileSync(file)
      writeFileSync(file, bytes.fill(0xaa, Math.floor(bytes.length / 4), Math.floor(bytes.length / 2)))
      for (const end of ['-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
    },
    /** Files of the home that hold one of these texts. */
    grepHome: texts =>
      readdirSync(belayHome, { recursive: true }).flatMap(name => {
        const file = join(belayHome, name)
        if (!statSync(file).isFile()) return []
        const bytes = readFileSync(file)
        return texts.filter(text => bytes.includes(text)).map(text => `${text} in ${name}`)
      }),
    status: () => JSON.parse(belay(['status', '--json'])),
    readAbsolute: path => (existsSync(path) ? readFileSync(path, 'utf8') : null),
    remove: path => rmSync(join(scratch, path), { recursive: true, force: true }),
    rpc: (method, params) => rpc({ socketPath: join(belayHome, 'run', 'daemon.sock') }, {}, { method, params }),
    rpcByToken: (method, params) =>
      rpc(
        { host: '127.0.0.1', port: readState().port },
        { authorization: `Bearer ${readFileSync(join(belayHome, 'run', 'token'), 'utf8').trim()}` },
        { method, params },
      ),
    /** A person follows a one-time link, and the page makes its key: what its requests bring from then on. */
    async enterPage() {
      const { port } = readState()
      const link = new URL(belay(['dashboard', '--print']).trim().split('\n').at(-1))
      const { headers: said } = await fetch(link, { redirect: 'manual' })
      const headers = {
        host: `127.0.0.1:${port}`,
        origin: `http://127.0.0.1:${port}`,
        cookie: said.get('set-cookie').split(';')[0],
        'belay-page': 'a-key-of-the-page',
      }
      const { error } = await rpc({ host: '127.0.0.1', port }, headers, { method: 'approvals.list', params: {} })
      if (error !== undefined) throw new Error(error.message)
      return { port, headers }
    },
    /** To the daemon; where it ends it, that is waited for. */
    kill(signal) {
      const { pid } = readState()
      process.kill(pid, signal)
      while (['SIGKILL', 'SIGTERM'].includes(signal) && isRunning(pid)) spawnSync('sleep', ['0.05'])
    },
    /** The request that waits; null: none does. */
    pendingRequest: () => JSON.parse(belay(['approvals', '--json'])).requests[0]?.id ?? null,
    requestState: () => JSON.parse(belay(['approvals', '--all', '--json'])).requests[0]?.state ?? null,
    /** A person's decision, at a terminal. */
    allow(id) {
      const ran = spawnSync('script', ['-qec', `'${process.execPath}' '${script}' approvals allow ${id}`, '/dev/null'], {
        cwd: project,
        env,
        encoding: 'utf8',
        input: `${id.slice(-4)}\n`,
        timeout: 30_000,
      })
      if (ran.status !== 0) throw new Error(`approvals allow: ${ran.stdout}${ran.stderr}`)
    },
    /** The first child of a process; null: it has none. */
    childOf: pid => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)[0] ?? null,
    /** The folder `made` as an archive and as a branch, for whoever lays it over the project. */
    bring() {
      const git = (...args) => spawnSync('git', ['-c', 'user.name=x', '-c', 'user.email=x', ...args], { cwd: project, env })
      spawnSync('tar', ['cf', 'brought.tar', '-C', join(scratch, 'made'), '.'], { cwd: project })
      git('--work-tree', join(scratch, 'made'), 'checkout', '-q', '--orphan', 'brought')
      git('--work-tree', join(scratch, 'made'), 'add', '-A')
      git('--work-tree', join(scratch, 'made'), 'commit', '-q', '-m', 'x')
      git('symbolic-ref', 'HEAD', 'refs/heads/other')
      git('rm', '-q', '-r', '--cached', '.')
    },
    ln: (target, path) => symlinkSync(target, join(scratch, path)),
    /** One line to a socket of the daemon's, and the line that comes back. */
    sendLine: (name, line) => sendLine(join(belayHome, 'run', name), line),
    /** An HTTP request on the daemon's socket. */
    post: (path, body, headers = {}) => post({ socketPath: join(belayHome, 'run', 'daemon.sock') }, { path, body, headers }),
    /** `under`: what the shell that starts it does first. */
    up(under) {
      if (under === undefined) return belay(['up', '--detach'])
      const { status, stderr } = spawnSync('sh', ['-c', `${under}; exec '${process.execPath}' '${script}' up --detach`], {
        cwd: project,
        env,
        encoding: 'utf8',
      })
      if (status !== 0) throw new Error(`belay up: ${stderr}`)
    },
    /** The daemon under a clock that can be set; milliseconds before or after the real one. */
    async upAt(offset) {
      setClock(offset)
      const clock = join(scratch, 'clock.cjs')
      put(clock, CLOCK)
      spawn(process.execPath, ['--require', clock, script, 'up'], { cwd: project, env, detached: true, stdio: 'ignore' }).unref()
      for (const until = Date.now() + UP_MS; !isUp(); await sleep(50))
        if (Date.now() > until) throw new Error('the daemon does not come up')
    },
    setClock,
    pid: () => readState().pid,
    /** What a denied program wrote when it ran; null: it did not run. */
    ran: name => (existsSync(join(canaries, name)) ? readFileSync(join(canaries, name), 'utf8').trim() : null),
    read: path => (existsSync(join(scratch, path)) ? readFileSync(join(scratch, path), 'utf8') : null),
    put: (path, text, mode) => put(join(scratch, path), text, mode),
    exists: path => existsSync(join(scratch, path)),
    list: path => (existsSync(join(scratch, path)) ? readdirSync(join(scratch, path)) : []),
    entries,
    /** Resolves when this many calls are in the ledger. */
    async recorded(calls) {
      while (entries().filter(({ kind }) => kind === 'pre_tool_use').length < calls) await sleep(100)
    },
  }
}

function put(path, text, mode = 0o644) {
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, text)
  chmodSync(path, mode)
}

function sendLine(path, line) {
  return new Promise((resolve, reject) => {
    const socket = connect(path)
    let heard = ''
    socket.on('data', piece => {
      heard += piece
      if (heard.trimStart().includes('\n')) socket.end()
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(heard.trim()))
    socket.write(`${line}\n`)
  })
}

function post(place, { path, body, headers }) {
  return new Promise((resolve, reject) => {
    const text = JSON.stringify(body)
    const asked = request({ ...place, path, method: 'POST', headers: { 'content-type': 'application/json', ...headers } }, response => {
      let heard = ''
      response.on('data', piece => {
        heard += piece
      })
      response.on('end', () => resolve({ status: response.statusCode, text: heard }))
    })
    asked.on('error', reject)
    asked.end(text)
  })
}

async function rpc(place, headers, call) {
  const { text } = await post(place, { path: '/v1/rpc', body: { jsonrpc: '2.0', id: 1, ...call }, headers })
  return JSON.parse(text)
}

/** A zombie has ended; nobody collects those of the first process. */
function isRunning(pid) {
  return existsSync(`/proc/${pid}`) && !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
}
