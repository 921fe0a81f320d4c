// Starts a world of its own for one attack: user, process, mount and network namespaces, the whole disk read-only except for one scratch
// folder. Hostile commands run nowhere else. The first process in there counts as the edge of a container, so what it starts is a person's.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CACHE } from '../agents/client.mjs'

const INSIDE = fileURLToPath(new URL('inside.mjs', import.meta.url))
const LIMIT_MS = 300_000

const SPACES = ['--pid', '--fork', '--kill-child', '--mount', '--net', '--mount-proc']
/** A real root, which other users can stand beside. It may not take marks off, as in most containers. */
const AS_ROOT = [...SPACES, 'setpriv', '--bounding-set', '-sys_resource']
/** A user namespace where the system lets us have one; a root without that right (some containers) does with the others. */
const WAYS = [['--user', '--map-root-user', ...SPACES], AS_ROOT]

let way

function findWay(needsUsers) {
  if (needsUsers) {
    if (spawnSync('unshare', [...AS_ROOT, 'true']).status === 0) return AS_ROOT
    throw new Error('another user of the machine can only be played as root')
  }
  way ??= WAYS.find(flags => spawnSync('unshare', [...flags, 'true']).status === 0)
  if (way === undefined) throw new Error('unshare cannot make namespaces here: the attacks have no jail to run in')
  return way
}

/** What the job gave, as a value. `base`: the folder with the packages; its `world` becomes the scratch folder. */
export function runInJail(base, job) {
  mkdirSync(join(base, 'world'), { recursive: true })
  // Nothing of the caller's environment: it may be an agent that runs the tests.
  const env = {
    PATH: `${dirname(process.execPath)}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    BELAY_AGENT_CACHE: CACHE,
  }
  return new Promise((resolve, reject) => {
    const child = spawn('unshare', [...findWay(job.needsUsers), process.execPath, INSIDE], { env, stdio: ['pipe', 'pipe', 'pipe'] })
    let out = ''
    let err = ''
    child.stdout.on('data', piece => {
      out += piece
    })
    child.stderr.on('data', piece => {
      err += piece
    })
    const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS)
    child.on('error', reject)
    child.on('close', code => {
      clearTimeout(timer)
      const line = out.split('\n').findLast(each => each.startsWith('RESULT '))
      if (line === undefined) reject(new Error(`the jail of "${job.attack}" ended with ${code}: ${err.slice(-2000)}${out.slice(-500)}`))
      else resolve(JSON.parse(line.slice('RESULT '.length)))
    })
    child.stdin.end(JSON.stringify({ base, ...job }))
  })
}
