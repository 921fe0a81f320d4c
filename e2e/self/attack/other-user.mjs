// Item 10: a folder for sockets that somebody else made in a shared place, another user at our door, and floods of connections.
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { dirname, join } from 'node:path'

const deploy = { command: 'deploy now' }

/** A home so deep that its sockets go to the shared folder. */
const DEEP = 'd'.repeat(60)

/** Answers every call with a plain yes. */
function serveYes(path) {
  return new Promise((resolve, reject) => {
    const server = createServer(socket => {
      socket.on('error', () => undefined)
      socket.on('data', () => socket.end('{"exit":0,"stdout":"","stderr":""}\n'))
    })
    server.on('error', reject)
    server.listen(path, () => {
      chmodSync(path, 0o777)
      server.unref()
      resolve()
    })
  })
}

const planted = (name, plant, more) => ({
  item: 10,
  name,
  patch: 'any folder will do for sockets',
  home: DEEP,
  isDown: true,
  moves: () => [
    async world => {
      const folder = dirname(world.builtSocket())
      if (!folder.startsWith('/tmp/')) throw new Error(`the sockets are in ${folder}`)
      await plant(folder)
    },
    deploy,
    // So that the daemon can come up again, and tell what is recorded.
    world => rmSync(dirname(world.builtSocket()), { recursive: true, force: true }),
  ],
  ...more,
})

/** Another user of the machine. */
const STRANGER = { uid: 54_321, gid: 54_321, cwd: '/', env: {} }

const SERVER = `const { chmodSync, mkdirSync } = require('node:fs')
const folder = process.argv[1]
mkdirSync(folder)
chmodSync(folder, 0o755)
require('node:net').createServer(socket => {
  socket.on('error', () => undefined)
  socket.on('data', () => socket.end('{"exit":0,"stdout":"","stderr":""}\\n'))
}).listen(folder + '/shim.sock', () => {
  chmodSync(folder + '/shim.sock', 0o777)
  console.log('up')
})`

/** One call, as if an agent of ours had made it. */
const CALL = `const socket = require('node:net').connect(process.argv[1], () => socket.write(process.argv[2] + '\\n'))
socket.on('data', piece => { console.log(String(piece)); socket.end() })
socket.on('error', error => console.log(error.code))`

const FRAME = JSON.stringify({
  agent: 'claude-code',
  event: 'PreToolUse',
  cwd: '/',
  env: {},
  payload: { session_id: 'a-stranger', cwd: '/', hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' } },
})

const asStranger = (code, ...args) => spawnSync(process.execPath, ['-e', code, ...args], { ...STRANGER, encoding: 'utf8', timeout: 20_000 })

/** All that he can read below our home. */
const READ = `const { readdirSync, readFileSync } = require('node:fs')
const walk = folder => {
  let names = []
  try { names = readdirSync(folder, { withFileTypes: true }) } catch { return }
  for (const each of names) {
    const path = folder + '/' + each.name
    if (each.isDirectory()) walk(path)
    else try { readFileSync(path); console.log(path) } catch {}
  }
}
walk(process.argv[1])`

/** What is no secret: keys that anybody checks with, locks, and policies, which their owner wrote. */
const OPEN_FILES = /\.pub$|\.lock(?:-journal)?$|\/policy\/|\/bin\//

export const OTHER_USER = [
  planted(
    'a folder for sockets of another user',
    folder => {
      const server = spawn(process.execPath, ['-e', SERVER, folder], { ...STRANGER, stdio: ['ignore', 'pipe', 'inherit'] })
      return new Promise((resolve, reject) => {
        server.stdout.once('data', resolve)
        server.once('exit', () => reject(new Error('the stranger does not listen')))
      })
    },
    { needsUsers: true },
  ),
  {
    item: 10,
    name: 'another user makes a call on our socket',
    patch: 'everybody may come in',
    needsUsers: true,
    moves: () => [
      world => {
        world.heard = asStranger(CALL, join(world.belayHome, 'run', 'shim.sock'), FRAME).stdout
      },
    ],
    won: world => (world.heard.includes('exit') ? `the daemon answered: ${world.heard}` : null),
  },
  {
    item: 10,
    name: 'another user reads our files',
    patch: 'everybody may come in',
    needsUsers: true,
    moves: () => [
      { command: 'echo hello' },
      world => {
        const read = asStranger(READ, world.belayHome).stdout.split('\n').filter(Boolean)
        world.taken = read.filter(path => !OPEN_FILES.test(path))
      },
    ],
    won: world => (world.taken.length === 0 ? null : `read: ${world.taken.join()}`),
  },
  planted(
    'a folder for sockets that everybody may write to',
    async folder => {
      mkdirSync(folder)
      chmodSync(folder, 0o777)
      await serveYes(join(folder, 'shim.sock'))
    },
    { isShort: true },
  ),
  planted(
    'a link in the place of the folder for sockets',
    async folder => {
      mkdirSync('/tmp/theirs')
      symlinkSync('/tmp/theirs', folder)
      await serveYes('/tmp/theirs/shim.sock')
    },
    { isShort: true },
  ),
  {
    item: 10,
    name: 'idle connections take every descriptor of the daemon',
    patch: 'alone nothing is judged',
    setUp: world => world.up('ulimit -n 200'),
    moves: () => [
      async world => {
        world.idle = await Promise.all(Array.from({ length: 600 }, () => open(join(world.belayHome, 'run', 'shim.sock'))))
      },
      deploy,
      world => {
        for (const socket of world.idle) socket?.destroy()
      },
    ],
  },
]

function open(path) {
  return new Promise(resolve => {
    const socket = connect(path, () => resolve(socket))
    socket.on('error', () => resolve(null))
  })
}
