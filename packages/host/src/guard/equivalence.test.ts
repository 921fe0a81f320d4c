// One guard behind every door, in process: policies x sources x calls, one verdict, one deciding rule, one reason. The guard that the client
// alone builds is compared with the daemon's, with pipelines in process, with `decide --batch` and with `explain`.
import { createHooks, createToolPipeline } from '@belay/core'
import { decideBatchLine, explainJudgement } from '@belay/core/policy'
import { afterAll, expect, test, vi } from 'vitest'
import { createPolicyGuards } from '../decision/policy-guards.ts'
import { caseSetups, type DoorCall, HOOK_SETUPS, OWN_CALLS, RULE_SETUPS, type Setup, TEAM_SETUPS } from './fixtures/door-setups.ts'
import { type Difference, differs, type Judged, judgedOf, openSetup, type SetupWorld } from './fixtures/setup-world.ts'
import { guardEvent } from './guard-event.ts'

type Door = (call: DoorCall) => Promise<unknown>

/** null: the door has no way to say it (a pipeline is made from policies that parse; `decide` knows rules only). */
type Doors = Readonly<Record<string, Door | null>>

function doorsOf(world: SetupWorld): Doors {
  return { daemon: daemonDoor(world), pipeline: pipelineDoor(world), 'decide --batch': decideDoor(world), explain: explainDoor(world) }
}

function daemonDoor({ setup, home, place, project, event }: SetupWorld): Door {
  const skills = setup.skills ?? []
  const guards = createPolicyGuards({
    home,
    etc: place.etc,
    env: place.env,
    hooksOf: () => [],
    config: () => ({}),
    stateOf: () => ({}),
    skills: { of: () => skills, note: () => undefined, set: () => undefined },
    ports: {},
    onLoaded: () => undefined,
    now: () => 0,
  })
  const { guard } = guards.get(project)
  return async call => judgedOf(await guardEvent({ guard, enteredGuards: [] }, event(call)))
}

function pipelineDoor({ sources, project, event, setup, folder, home }: SetupWorld): Door | null {
  const { loaded, hooks: drawn, settings } = sources
  if (loaded.locked !== null) return null
  const caller = { cwd: project, agent: setup.agent, actor: `agent:${setup.agent}` }
  const hooks = createHooks({}, { ...caller, settings })
  for (const { hook, inert } of drawn) {
    if (inert !== null) continue
    // In process a skill's hooks are there from its start to its end.
    const { condition, ...definition } = hook
    if (hook.scope !== 'skill') hooks.registry.add(hook)
    else if (setup.skills !== undefined)
      hooks.registry.registerSkill([
        condition?.includes('session.agent') ? { ...definition, condition: 'session.agent != "claude-code"' } : definition,
      ])
  }
  // A pipeline belongs to the user whose process it is in.
  vi.stubEnv('HOME', folder)
  vi.stubEnv('BELAY_HOME', home)
  const { gate } = createToolPipeline({ ...caller, hooks, policies: loaded.policies })
  vi.unstubAllEnvs()
  return async call => judgedOf(await gate.pass(event(call)))
}

function decideDoor({ setup, folder, project }: SetupWorld): Door | null {
  const { rules } = setup
  if (rules === null) return null
  return async ({ tool, input }) => {
    const line = { tool, input, ...rules, ctx: { root: project, cwd: project, home: folder, platform: process.platform } }
    const { decision, rule } = JSON.parse(decideBatchLine(JSON.stringify(line)))
    return { verdict: decision, rule }
  }
}

function explainDoor({ setup, guard, event }: SetupWorld): Door | null {
  if (setup.rules === null) return null
  return async call => {
    const { decision, rule, reason } = explainJudgement(call, guard.judge(call, event(call)))
    return { verdict: decision, rule: rule?.text ?? null, reason }
  }
}

/** What a door can tell of the verdict: `decide` says allow where nothing is decided, `explain` gives a reason for everything. */
function asSeenBy(door: string, judged: Judged): unknown {
  const { verdict, rule, reason } = judged
  if (door === 'decide --batch') return { verdict: verdict === 'none' ? 'allow' : verdict, rule }
  return door === 'explain' && reason === null ? { verdict, rule } : judged
}

function cut(door: string, expected: unknown, got: unknown): unknown {
  const hasReason = typeof expected === 'object' && expected !== null && 'reason' in expected
  if (door !== 'explain' || hasReason || typeof got !== 'object' || got === null) return got
  return Object.fromEntries(Object.entries(got).filter(([key]) => key !== 'reason'))
}

let rows = 0

async function compare(setup: Setup, calls: readonly DoorCall[]): Promise<readonly Difference[]> {
  const world = await openSetup(setup)
  const doors = doorsOf(world)
  const found: Difference[] = []
  for (const call of calls) {
    rows += 1
    const reference = await world.reference(call)
    for (const [door, judge] of Object.entries(doors)) {
      if (judge === null) continue
      const expected = asSeenBy(door, reference)
      const got = cut(door, expected, await judge(call))
      if (differs(expected, got)) found.push({ policy: setup.title, call, door, expected, got })
    }
  }
  world.remove()
  return found
}

test.each(caseSetups())('$setup.title', async ({ setup, calls }) => {
  expect(await compare(setup, calls)).toEqual([])
})

test.each(RULE_SETUPS)('$title', async setup => {
  expect(await compare(setup, [...OWN_CALLS, ...caseSetups().flatMap(({ calls }) => calls.slice(0, 10))])).toEqual([])
})

test.each([...HOOK_SETUPS, ...TEAM_SETUPS])('$title', async setup => {
  expect(await compare(setup, OWN_CALLS)).toEqual([])
})

test('there are enough rows', () => {
  expect(rows).toBeGreaterThanOrEqual(2000)
})

afterAll(() => console.log(`${rows} rows`))
