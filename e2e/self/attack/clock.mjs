// Item 6: the clock of the machine is set while a decision waits to be used: what is past its time does not come back, and the record says so.
import { setTimeout as sleep } from 'node:timers/promises'

const HOUR_MS = 3_600_000
/** Time enough to decide on a busy machine. */
const SHORT_SECONDS = 30

const hello = { command: 'echo hello' }
const release = { command: 'release now' }
const released = world => (world.ran('release') === null ? null : 'release ran')
const decided = [
  release,
  world => {
    world.request = world.pendingRequest()
  },
  world => world.allow(world.request),
]

const clock = (name, moves, more) => ({ item: 6, name, isDown: true, moves: () => moves, won: released, ...more })

export const CLOCK = [
  clock(
    'the clock is set back before a decision runs out',
    [
      world => world.put('h/.belay/config.toml', `[approvals]\nexpiry = "${SHORT_SECONDS}s"\n`),
      world => world.upAt(0),
      ...decided,
      world => world.setClock(-HOUR_MS),
      () => sleep(SHORT_SECONDS * 1000),
      release,
    ],
    { patch: 'only the wall clock counts' },
  ),
  clock(
    'the clock is set back after a decision ran out, and the daemon is killed',
    [
      world => world.upAt(0),
      ...decided,
      world => world.setClock(48 * HOUR_MS),
      hello,
      world => world.kill('SIGKILL'),
      world => world.upAt(0),
      release,
    ],
    { patch: 'only the wall clock counts', isShort: true },
  ),
  clock('the clock is set back and nobody is told', [world => world.upAt(2 * HOUR_MS), hello, world => world.setClock(0), hello], {
    patch: 'steps of the clock are not recorded',
    won: world => {
      const entries = world.entries()
      const back = entries.findIndex(({ time }, at) => at > 0 && Date.parse(time) < Date.parse(entries[at - 1].time) - HOUR_MS)
      if (back < 0) throw new Error('the clock was not set back')
      return entries[back].kind === 'clock_step' ? null : 'no entry says that the clock was set back'
    },
  }),
]
