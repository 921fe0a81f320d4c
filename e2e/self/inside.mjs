// The first process of a jail: closes the disk, then plays one attack and says what came of it. Nothing in here can end it.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findAttack } from './attack/table.mjs'
import { playAttack } from './play.mjs'
import { makeWorld } from './world.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
const job = JSON.parse(readFileSync(0, 'utf8'))
const scratch = join(job.base, 'world')
closeDisk(scratch, job.making)
try {
  console.log(`RESULT ${JSON.stringify(await run(job))}`)
} catch (error) {
  console.log(`RESULT ${JSON.stringify({ failed: error.stack })}`)
}
process.exit(0)

/** `making`: no attack yet, a world is made and left in that folder. `made`: such a folder. */
async function run({ attack, client, pack, making, made, isReal }) {
  const world = makeWorld({ scratch, pack, client, home: findAttack(attack).home })
  if (making !== undefined) {
    world.make()
    must('cp', ['-a', `${scratch}/.`, making])
    return {}
  }
  must('cp', ['-a', `${made}/.`, scratch])
  return playAttack(world, findAttack(attack), isReal)
}

/** Every mount read-only, then memory over the scratch folder. `making` stays open: nothing hostile runs there. */
function closeDisk(folder, making) {
  must('mount', ['--make-rprivate', '/'])
  if (making !== undefined) must('mount', ['--bind', making, making])
  const points = readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .filter(Boolean)
    .map(line => line.split(' ')[4].replaceAll('\\040', ' '))
  // What cannot be closed belongs to the system (/proc, /sys): a user namespace may not change it either.
  for (const point of points)
    if (point !== making && !/^\/(?:proc|sys)(?:\/|$)/.test(point)) spawnSync('mount', ['-o', 'remount,bind,ro', point])
  if (spawnSync('touch', [join(folder, 'open')]).status === 0) throw new Error('the disk of the jail is still open')
  must('mount', ['-t', 'tmpfs', '-o', 'size=600m,mode=755', 'world', folder])
  closeTemp(join(folder, 'repository'))
  must('ip', ['link', 'set', 'lo', 'up'])
}

/** A /tmp of its own, in which nothing but this repository is seen, where it lies there. */
function closeTemp(aside) {
  const isInside = root.startsWith('/tmp/')
  if (isInside) {
    mkdirSync(aside)
    must('mount', ['--bind', root, aside])
  }
  must('mount', ['-t', 'tmpfs', '-o', 'size=100m,mode=1777', 'tmp', '/tmp'])
  if (!isInside) return
  mkdirSync(root, { recursive: true })
  // Without the list of mounts that some systems keep on the closed disk.
  must('mount', ['-n', '--move', aside, root])
  rmdirSync(aside)
}

function must(program, args) {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr ?? error}`)
}
