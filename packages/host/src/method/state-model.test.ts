// Random lives of three agents, with restarts of the daemon in between, against a model that fits on a page.
// BELAY_FUZZ_STEPS and BELAY_FUZZ_SEED make it longer and repeat it.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type AgentHands, runStateDaemon, type StateDaemon } from './fixtures/state-daemon.ts'

const STEPS = Number(process.env.BELAY_FUZZ_STEPS ?? 80)
const SEED = Number(process.env.BELAY_FUZZ_SEED ?? Date.now() % 1_000_000)

interface Model {
  hasEffort: boolean
  isOpen: boolean
  sessions: number
  heartbeat: number
  lastEdited: string | null
}

interface Life {
  readonly hands: AgentHands
  readonly model: Model
  readonly name: string
}

type Step = (life: Life, daemon: StateDaemon, random: () => number) => Promise<void>

const STEPS_BY_NAME: Readonly<Record<string, Step>> = {
  async start({ hands, model }) {
    Object.assign(model, { isOpen: true, sessions: model.sessions + 1, heartbeat: 0, lastEdited: null })
    expect(await hands.hook('sessionStart', { source: 'startup' })).toMatchObject({ found: model.hasEffort })
  },
  async end({ hands, model }) {
    expect(await hands.hook('sessionEnd', { reason: 'other' })).toMatchObject({ ended: model.isOpen })
    model.isOpen = false
  },
  shell: life => callTool(life, 'Bash', { command: 'ls' }, null),
  edit(life, daemon, random) {
    const file = join(daemon.project, random() < 0.7 ? 'a.ts' : 'b.ts')
    return callTool(life, 'Edit', { file_path: file }, file)
  },
  async log({ hands, model }) {
    const answer = await hands.verb('effort.log', { text: 'on it' })
    expect('error' in answer).toBe(!model.hasEffort)
    if (model.hasEffort) Object.assign(model, { heartbeat: 0, lastEdited: null })
  },
  async begin({ hands, model, name }, daemon) {
    const answer = await hands.verb('effort.start', { skill: 'x', task: join(daemon.project, name) })
    expect('error' in answer).toBe(model.hasEffort)
    if (!model.hasEffort) Object.assign(model, { hasEffort: true, heartbeat: 0, lastEdited: null })
  },
  async finish({ hands, model }) {
    expect('error' in (await hands.verb('effort.finish'))).toBe(!model.hasEffort)
    model.hasEffort = false
  },
  restart: (_life, daemon) => daemon.restart(),
}

async function callTool({ hands, model }: Life, tool: string, input: object, edited: string | null): Promise<void> {
  // The window goes on after all: it has its row back, or gets its first.
  if (model.hasEffort && !model.isOpen) Object.assign(model, { isOpen: true, sessions: Math.max(1, model.sessions) })
  if (model.hasEffort && (edited === null || edited !== model.lastEdited)) model.heartbeat += 1
  if (model.hasEffort) model.lastEdited = edited
  expect(await hands.tool(tool, { ...input })).toMatchObject({
    heartbeatCount: model.hasEffort ? model.heartbeat : null,
    allow: !model.hasEffort || model.heartbeat < 10,
  })
}

/** Calls are the most of a life, restarts the least. */
const WEIGHTS: readonly (readonly [string, number])[] = [
  ['shell', 10],
  ['edit', 8],
  ['log', 3],
  ['start', 2],
  ['end', 1],
  ['begin', 3],
  ['finish', 1],
  ['restart', 1],
]

test(`${STEPS} steps of seed ${SEED}`, async () => {
  const random = createRandom(SEED)
  const daemon = await runStateDaemon()
  const lives = ['ann', 'bob', 'cyd'].map(
    (name): Life => ({
      name,
      hands: daemon.as(name),
      model: { hasEffort: false, isOpen: false, sessions: 0, heartbeat: 0, lastEdited: null },
    }),
  )
  try {
    for (let step = 0; step < STEPS; step++) {
      const life = lives[Math.floor(random() * lives.length)]
      const run = STEPS_BY_NAME[pick(random)]
      if (life === undefined || run === undefined) throw new Error('no such step')
      await run(life, daemon, random)
    }
    for (const { hands, model } of lives) {
      const sessions = await hands.verb('session.list', { limit: 1000 })
      expect(sessions).toHaveLength(model.sessions)
      expect(sessions.filter((session: { endedAt: string | null }) => session.endedAt === null)).toHaveLength(model.isOpen ? 1 : 0)
    }
  } finally {
    await daemon.stop()
  }
})

function pick(random: () => number): string {
  let left = random() * WEIGHTS.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [name, weight] of WEIGHTS) {
    left -= weight
    if (left < 0) return name
  }
  return 'shell'
}

/** Mulberry32. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
