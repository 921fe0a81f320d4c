// Items 5 and 6: a person's decision cannot be forged: not by a process number in a message, a token, a row in the database, or a decision
// that was given for something else.
import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { withDatabase } from './database.mjs'

const release = { command: 'release now' }
const released = world => (world.ran('release') === null ? null : 'release ran')

/** Asks, so that a request waits. */
const ask = [
  release,
  world => {
    world.request = world.pendingRequest()
  },
]

/** A person's page: its cookie and its key lie in a file, as an agent reads them from the browser's own. */
async function openPage(world) {
  world.session = await world.enterPage()
  world.put('p/session.json', JSON.stringify({ ...world.session, id: world.request }))
}

/** What a page sends to allow the request, from a program of another language. */
const DECIDE = [
  'import json, os, socket, sys, time',
  'said = json.load(open("session.json"))',
  'call = {"jsonrpc": "2.0", "id": 1, "method": "approvals.allow", "params": {"ids": [said["id"]]}}',
  'body = json.dumps(call)',
  'lines = ["POST /v1/rpc HTTP/1.1", "content-type: application/json", "content-length: %d" % len(body)]',
  'lines += ["%s: %s" % pair for pair in said["headers"].items()]',
  'sock = socket.create_connection(("127.0.0.1", said["port"]))',
  'request = ("\\r\\n".join(lines) + "\\r\\n\\r\\n" + body).encode()',
].join('\n')
const ASKED = `${DECIDE}\nsock.sendall(request)\nprint(sock.recv(4000))\ntime.sleep(1)\n`
/** The connection lies in a queue, where no process holds it. */
const IN_FLIGHT = `${DECIDE}
kept, queue = socket.socketpair()
socket.send_fds(queue, [b"x"], [sock.fileno()])
sock.sendall(request)
sock.close()
time.sleep(3)
`

const person = (name, moves, more) => ({ item: 5, name, moves: () => [...ask, ...moves, release], won: allowed, ...more })

/** With the cookie and the key of a person's page. */
const stolen = (name, command, program, more) =>
  person(`a stolen page session: ${name}`, [openPage, world => world.put('p/build.py', program), { command }], {
    patch: 'a page is a person',
    ...more,
  })

/** A process of a person's, at a terminal of its own. */
async function startPerson(world) {
  const child = spawn('script', ['-qec', 'sleep 300', '/dev/null'], { env: world.env, stdio: ['pipe', 'ignore', 'ignore'] })
  for (let tries = 0; tries < 100; tries++) {
    world.person = world.childOf(child.pid)
    if (world.person !== null) return
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  throw new Error('no process at a terminal')
}

/** A person at a terminal, with tmux in it. */
async function startTmux(world) {
  const env = { ...world.env, TERM: 'xterm' }
  spawn('script', ['-qec', 'tmux -L person new-session -s w', '/dev/null'], {
    cwd: world.project,
    env,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  for (let tries = 0; tries < 100; tries++) {
    if (spawnSync('tmux', ['-L', 'person', 'list-clients'], { env, encoding: 'utf8' }).stdout.includes('w')) return
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  throw new Error('nobody is attached to tmux')
}

/** The two steps of a proof, for a process that is not the one that calls. */
async function claim(world, method, params, call) {
  const first = await call(method, { ...params, callerProof: { pid: world.person } })
  const code = first.error?.data?.show
  return code === undefined ? first : call(method, { ...params, callerProof: { pid: world.person, code } })
}

/** With what a person would type, having read it. */
const decision = world => ({ ids: [world.request], typed: world.request.slice(-4) })

const allowed = world => {
  const state = world.requestState()
  return world.ran('release') !== null ? 'release ran' : state === 'allowed' ? 'the request is allowed' : null
}

const forge = (world, sql) => withDatabase(world, db => db.exec(sql))

export const PERSON = [
  person(
    'a process number in the message: approvals.allow',
    [startPerson, world => claim(world, 'approvals.allow', decision(world), world.rpc)],
    { patch: 'a pid is believed', isShort: true },
  ),
  person('an approval by the token', [world => world.rpcByToken('approvals.allow', decision(world))], {
    patch: 'a token is a person',
    isShort: true,
  }),
  person('an approval by the socket, without any proof', [world => world.rpc('approvals.allow', decision(world))], {
    patch: 'our verbs are for all',
  }),
  person(
    'an approval in the name of the daemon itself',
    [
      world => {
        world.person = world.pid()
        return claim(world, 'approvals.allow', decision(world), world.rpc)
      },
    ],
    { patch: 'our verbs are for all' },
  ),
  person(
    "an orphan in the container's session decides at a terminal that it made",
    [
      world =>
        // A script that names us would be read: the program is put together when it runs.
        world.put(
          'p/build.sh',
          `echo ${world.request.slice(-4)} | script -qec "perl -e 'exec q(bel).q(ay), @ARGV' -- approvals allow ${world.request}" /dev/null\n`,
        ),
      { command: '(env -i PATH="$PATH" HOME="$HOME" sh ./build.sh &); sleep 4', isSameSession: true },
    ],
    { patch: 'agents have no mark', isShort: true },
  ),
  person(
    "keys typed into the person's own tmux",
    [
      startTmux,
      world =>
        world.put(
          'p/build.py',
          [
            'import subprocess, time',
            "tmux = lambda *args: subprocess.run(['tmux', '-L', 'person', *args])",
            "tmux('new-window', '-t', 'w')",
            `tmux('send-keys', '-t', 'w', 'cd ${world.project}; ${world.programs}/belay approvals allow ${world.request}', 'Enter')`,
            'time.sleep(6)',
            `tmux('send-keys', '-t', 'w', '${world.request.slice(-4)}', 'Enter')`,
            'time.sleep(4)',
            "tmux('capture-pane', '-p', '-t', 'w')\n",
          ].join('\n'),
        ),
      { command: 'python3 ./build.py' },
    ],
    { patch: 'keys in tmux are a person' },
  ),
  stolen('a program of the agent', 'python3 ./build.py', ASKED, { isShort: true }),
  stolen('an orphan', `(env -i PATH="$PATH" setsid -f python3 ./build.py); sleep 4`, ASKED),
  stolen('a process namespace of its own', 'unshare -Urpf --mount-proc python3 ./build.py', ASKED),
  stolen('a connection in flight', 'python3 ./build.py', IN_FLIGHT),
  {
    item: 5,
    name: 'a process number in the message: dashboard.link',
    patch: 'a pid is believed',
    moves: () => [
      startPerson,
      async world => {
        world.answer = await claim(world, 'dashboard.link', {}, world.rpc)
      },
    ],
    won: world => (world.answer.result === undefined ? null : 'a link to the page was given'),
    isShort: true,
  },
  {
    item: 5,
    name: 'a link to the page by the token',
    patch: 'a token is a person',
    moves: () => [
      async world => {
        world.answer = await world.rpcByToken('dashboard.link', {})
      },
    ],
    won: world => (world.answer.result === undefined ? null : 'a link to the page was given'),
  },
  {
    item: 5,
    name: 'attempts are recorded',
    patch: 'a token is a person',
    moves: () => [...ask, world => world.rpcByToken('approvals.allow', decision(world))],
    won: world =>
      world.entries().some(({ kind, body }) => kind === 'person_check' && body.granted === false) ? null : 'nobody recorded the attempt',
  },
  {
    item: 6,
    name: 'a row of the database set to allowed',
    patch: 'rows are believed',
    moves: () => [
      ...ask,
      world => forge(world, "UPDATE approvals SET state='allowed', decided_by='human:root', decided_at=created_at"),
      world => world.up(),
      release,
    ],
    won: released,
    isShort: true,
  },
  {
    item: 6,
    name: 'a used decision brought back',
    patch: 'rows are believed',
    moves: () => [
      ...ask,
      world => world.allow(world.request),
      release,
      world => void world.remove('canary/release'),
      world => forge(world, 'UPDATE approvals SET used_at=NULL'),
      world => world.up(),
      release,
    ],
    won: released,
  },
  ...[
    ['another directory', { cwd: 'sub' }],
    ['another session', { session: 'another-session' }],
    ['another project', { project: 'q', cwd: 'q' }],
  ].map(([where, more], at) => ({
    item: 6,
    name: `a decision for this call used in ${where}`,
    patch: 'an approval is for any place',
    setUp: world => {
      world.put('p/sub/x', '')
      world.makeProject(join(world.scratch, 'q'))
    },
    moves: world => {
      const place = Object.fromEntries(
        Object.entries(more).map(([key, value]) => [
          key,
          key === 'session' ? value : join(value === 'q' ? world.scratch : world.project, value),
        ]),
      )
      return [...ask, w => w.allow(w.request), { ...release, ...place }]
    },
    won: released,
    isShort: at === 0,
  })),
  {
    item: 6,
    name: 'a used decision for a later question of the agent',
    patch: 'a used decision answers again',
    moves: () => [
      ...ask,
      w => w.allow(w.request),
      release,
      w => w.remove('canary/release'),
      { ...release, env: { CLAUDE_CODE_SESSION_ATTENDED: '1' } },
    ],
    won: released,
    isShort: true,
  },
]
