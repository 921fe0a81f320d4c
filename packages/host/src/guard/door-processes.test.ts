// One guard behind every door, with real daemons, sockets and processes: seeded rows of policies x sources x calls, at every door the verdict,
// the deciding rule and the reason of the guard itself. `npm run torture -- --only doors` takes every row through every client, some rows at a
// time; with `--minutes N` those for which there is time, and with `--resume` the others.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ShimKind } from '../install/build-shim.ts'
import { type BundledCli, bundleCli } from '../supervisor/fixtures/bundled-cli.ts'
import { caseSetups, type DoorCall, HOOK_SETUPS, OWN_CALLS, RULE_SETUPS, type Setup, TEAM_SETUPS } from './fixtures/door-setups.ts'
import { openKeptRows } from './fixtures/kept-rows.ts'
import { buildClient, type Door, type Doors, withDaemon, withoutDaemon } from './fixtures/process-doors.ts'
import { type Difference, differs, openSetup, type SetupWorld } from './fixtures/setup-world.ts'

const isAll = process.env.BELAY_DOORS === 'all'
const seed = Number(process.env.BELAY_SEED ?? Date.now() % 1_000_000)
const ROWS_OF_SETUP = 4
/** At full size: of one test, so that what was done is known when a campaign is cut off. */
const ROWS_AT_ONCE = 20
const minutes = Number(process.env.BELAY_MINUTES ?? Number.POSITIVE_INFINITY)
const endsAt = Date.now() + minutes * 60_000
const kept = isAll ? openKeptRows() : null
const isResumed = process.env.BELAY_RESUME === '1'

let cli: BundledCli
let rows = 0
let total = 0

beforeAll(async () => {
  cli = await bundleCli()
})
afterAll(() => {
  cli.remove()
  console.log(`seed ${seed}, ${rows} rows${isAll ? ` of ${total}` : ''}`)
})

/** A small generator of numbers below one, the same for the same seed. */
function randoms(start: number): () => number {
  let state = start
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const random = randoms(seed)

function pick(calls: readonly DoorCall[]): readonly DoorCall[] {
  if (isAll) return calls
  const left = [...calls]
  return Array.from({ length: Math.min(ROWS_OF_SETUP, calls.length) }, () => left.splice(Math.floor(random() * left.length), 1)[0]).filter(
    call => call !== undefined,
  )
}

const KINDS: readonly ShimKind[] = ['native', 'perl', 'node']

/** A client is a process of its own for every call: one kind for each setup among the tests, all of them at full size. Node always can. */
function clientsOf(world: SetupWorld): Readonly<Partial<Record<ShimKind, string>>> {
  const first = Math.floor(random() * KINDS.length)
  const order = [...KINDS.slice(first), ...KINDS.slice(0, first)]
  const made: Partial<Record<ShimKind, string>> = {}
  for (const kind of order) {
    if (!isAll && Object.keys(made).length > 0) break
    const path = buildClient(world, cli.bin, kind)
    if (path !== null) made[kind] = path
  }
  return made
}

async function compare(world: SetupWorld, doors: Doors, calls: readonly DoorCall[]): Promise<readonly Difference[]> {
  const found: Difference[] = []
  for (const [name, door] of Object.entries(doors)) {
    const { atOnce = 1 } = door
    for (let at = 0; at < calls.length; at += atOnce) {
      const compared = await Promise.all(calls.slice(at, at + atOnce).map(call => compareCall(world, { name, door, call })))
      found.push(...compared.flat())
    }
  }
  return found
}

interface Asked {
  readonly name: string
  readonly door: Door
  readonly call: DoorCall
}

async function compareCall(world: SetupWorld, { name, door, call }: Asked): Promise<readonly Difference[]> {
  const expected = door.seen(await world.reference(call, door.agent), call)
  if (expected === null) return []
  const got = await door.ask(call)
  return differs(expected, got) ? [{ policy: world.setup.title, call, door: name, expected, got }] : []
}

/** The hooks that `hooks list` shows, against those that run, in their order. */
async function compareList(world: SetupWorld): Promise<readonly unknown[]> {
  const { out } = await world.belay(['hooks', 'list', '--event', 'PreToolUse', '--json'])
  const listed = (JSON.parse(out) as Listed[]).filter(({ inert }) => inert === null).map(({ file, line }) => `${file}:${line}`)
  const running = world.guard.engine.registry
    .planFor('PreToolUse')
    .batches.flat()
    .map(({ definition: { place } }) => `${place?.file}:${place?.line}`)
  return differs(running, listed) ? [{ policy: world.setup.title, door: 'hooks list', expected: running, got: listed }] : []
}

interface Listed {
  readonly inert: string | null
  readonly file: string
  readonly line: number
}

interface Rows {
  readonly title: string
  readonly setup: Setup
  readonly calls: readonly DoorCall[]
}

/** Of some rows of each setup all, at full size in parts. */
function partsOf({ setup, calls }: Omit<Rows, 'title'>): readonly Rows[] {
  const wanted = pick(calls)
  total += wanted.length
  const parts = Array.from({ length: Math.ceil(wanted.length / ROWS_AT_ONCE) }, (_, at) => at * ROWS_AT_ONCE)
  return parts.map(from => {
    const part = wanted.slice(from, from + ROWS_AT_ONCE)
    const title = wanted.length <= ROWS_AT_ONCE ? setup.title : `${setup.title}, rows ${from + 1} to ${from + part.length}`
    return { title, setup, calls: part }
  })
}

const SETUPS: readonly Omit<Rows, 'title'>[] = [
  ...[...HOOK_SETUPS, ...RULE_SETUPS, ...TEAM_SETUPS].map(setup => ({ setup, calls: OWN_CALLS })),
  ...caseSetups().map(({ setup, calls }) => ({
    setup,
    calls: calls.filter(({ tool }) => /^(?:Bash|Read|Write|Edit|WebFetch)$/.test(tool)),
  })),
]

const left = SETUPS.flatMap(partsOf).filter(({ title, calls }) => {
  const isDone = isResumed && kept?.hasPassed(title) === true
  if (isDone) rows += calls.length
  return !isDone
})

test.for(left)('$title', async ({ title, setup, calls }, { skip }) => {
  if (Date.now() > endsAt) skip('the time is over')
  const world = await openSetup(setup)
  rows += calls.length
  const down = await compare(world, withoutDaemon(world, clientsOf(world)), calls)
  const up = await withDaemon(world, doors => compare(world, doors, calls))
  const listed = await compareList(world)
  world.remove()
  expect({ seed, differences: [...down, ...up, ...listed] }).toEqual({ seed, differences: [] })
  kept?.keep(title)
})

test('there are enough rows', () => {
  expect(total).toBeGreaterThanOrEqual(200)
})
