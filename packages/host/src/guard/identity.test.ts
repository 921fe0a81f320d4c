// Who a call is made by: every way to say it, at every door of a real daemon and in the client that judges alone.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runDaemon, type TestDaemon } from '../daemon/fixtures/run-daemon.ts'
import { runHook } from '../shim/node-shim.ts'
import { askDaemon } from '../wire/daemon-client.ts'

// Each name is forbidden a command of its own, and every agent is forbidden one: a verdict tells under which names a call was judged.
const POLICY = `version: "2.0"
permissions:
  default: ask
  actors:
    "agent:*":
      deny: ["Bash(never *)"]
    "agent:claude-code":
      allow: ["Bash(echo *)", "Bash(reviewer *)", "Bash(architect *)", "Task(scout)", "Task(exec*)"]
      deny: ["Bash(base *)"]
    "agent:architect":
      allow: ["Bash(echo *)", "Bash(raise *)", "Bash(base *)", "Bash(reviewer *)", "Task(*)"]
      deny: ["Bash(architect *)"]
    "agent:reviewer":
      allow: ["Bash(echo *)", "Bash(base *)", "Bash(architect *)"]
      deny: ["Bash(reviewer *)"]
    "agent:scout":
      allow: ["Bash(scout *)"]
      deny: ["Bash(echo no*)"]
    "agent:executor":
      allow: ["Bash(executor *)", "Bash(echo *)"]
      deny: ["Bash(echo no*)"]
    "human:*":
      allow: ["Bash(*)"]
`
const BASE = 'agent:claude-code'
const IDS = { pane: 'agent:architect', desk: 'agent:reviewer' } as const

let daemon: TestDaemon
const secrets: Record<string, string> = {}
beforeAll(async () => {
  daemon = await runDaemon({ policy: POLICY })
  for (const [id, role] of Object.entries(IDS)) secrets[id] = await daemon.bind(id, role)
})
afterAll(() => daemon.stop())

/** One way to say who calls; what is null is not said. */
interface Said {
  /** BELAY_ACTOR of the hook process. */
  readonly variable: string | null
  /** The field of a frame, the header of a request. */
  readonly field: string | null
  /** AGENT_ID. */
  readonly id: string | null
  /** Whose secret is shown; `made-up`: nobody's. */
  readonly secret: string | null
}

const NAMES = [null, 'agent:reviewer', 'agent:stranger', 'human:ada', 'human:root', 'architect', 'agent:', 'system:belay'] as const
const TABLE: readonly Said[] = NAMES.flatMap(variable =>
  NAMES.flatMap(field =>
    [null, 'pane', 'desk', 'nobody'].flatMap(id => [null, 'pane', 'made-up'].map(secret => ({ variable, field, id, secret }))),
  ),
)

interface Who {
  readonly actor: string
  readonly alsoAs: readonly string[]
  readonly refused: readonly string[]
}

/** The rule, said once more in another way. */
function expected({ variable, field, id, secret }: Said): Who {
  const role = secret === 'pane' ? IDS.pane : null
  const ofId = role === null && (id === 'pane' || id === 'desk') ? IDS[id] : null
  const written = [field, variable].filter(name => name !== null)
  const lowering = [...written.filter(name => /^agent:./.test(name)), ...(ofId === null ? [] : [ofId])]
  const actor = role ?? BASE
  return {
    actor,
    alsoAs: [...new Set(lowering)].filter(name => name !== actor).sort(),
    refused: [...new Set(written.filter(name => !/^agent:./.test(name)))].sort(),
  }
}

let calls = 0
const never = () => ({ tool_name: 'Bash', tool_input: { command: 'never do this' }, tool_use_id: `call-${++calls}` })
const payloadOf = (call: object) => ({ session_id: 's1', cwd: daemon.project, hook_event_name: 'PreToolUse', ...call })
const secretOf = (name: string | null) => (name === null ? {} : { secret: secrets[name] ?? `bas_${'x'.repeat(43)}` })

function variablesOf({ variable, id }: Said): Record<string, string> {
  return { ...(variable === null ? {} : { BELAY_ACTOR: variable }), ...(id === null ? {} : { AGENT_ID: id }) }
}

type Door = (said: Said, call: Readonly<Record<string, unknown>>) => Promise<string | undefined>

const headersOf = (said: Said): Record<string, string> => {
  const { secret } = secretOf(said.secret)
  return {
    'belay-env': JSON.stringify(variablesOf(said)),
    ...(said.field === null ? {} : { 'belay-actor': said.field }),
    ...(secret === undefined ? {} : { 'belay-agent-secret': secret }),
    connection: 'close',
  }
}

async function post(path: string, body: unknown, said: Said): Promise<Record<string, unknown>> {
  const answer = await askDaemon({ socket: daemon.paths.socket, method: 'POST', path, body, headers: headersOf(said) })
  return answer.kind === 'answer' ? (answer.value as Record<string, unknown>) : {}
}

const DOORS: Readonly<Record<string, Door>> = {
  async socket(said, call) {
    const frame = { env: variablesOf(said), ...(said.field === null ? {} : { actor: said.field }), ...secretOf(said.secret) }
    return (await daemon.hook('PreToolUse', call, frame)).decision
  },
  async http(said, call) {
    const value = await post('/v1/hooks/claude-code/PreToolUse', payloadOf(call), said)
    return (value.hookSpecificOutput as { permissionDecision?: string } | undefined)?.permissionDecision
  },
  async rpc(said, call) {
    const value = await post('/v1/rpc', { jsonrpc: '2.0', id: 1, method: 'hooks.preToolUse', params: payloadOf(call) }, said)
    return (value.result as { decision?: string } | undefined)?.decision
  },
}

const listOf = (value: unknown): readonly string[] => (Array.isArray(value) ? [...value].sort() : [])

describe.each(Object.entries(DOORS))('%s', (_name, door) => {
  test('every way to say who calls', async () => {
    const asked = TABLE.map(said => ({ said, call: never() }))
    const decisions: (string | undefined)[] = []
    for (const { said, call } of asked) decisions.push(await door(said, call))
    // No name, whatever it is, is free of what every agent is forbidden.
    expect(new Set(decisions)).toEqual(new Set(['deny']))
    const entries = new Map((await daemon.entries('pre_tool_use')).map(entry => [entry.read.toolUseId, entry]))
    const found = asked.map(({ said, call }) => {
      const entry = entries.get(call.tool_use_id)
      const who = { actor: entry?.actor, alsoAs: listOf(entry?.read.alsoAs), refused: listOf(entry?.read.refusedNames) }
      return { said, who }
    })
    expect(found).toEqual(asked.map(({ said }) => ({ said, who: expected(said) })))
  })
})

describe('the stricter of two names holds', () => {
  const bash = (command: string) => ({ tool_name: 'Bash', tool_input: { command }, tool_use_id: `verdict-${++calls}` })
  test.each([
    ['base: its own rule', {}, 'base x', 'deny'],
    ['base: allowed', {}, 'echo x', 'allow'],
    ['lowered: what the name may not', { actor: 'agent:reviewer' }, 'reviewer x', 'deny'],
    ['lowered: the base is still forbidden', { actor: 'agent:reviewer' }, 'base x', 'deny'],
    ['lowered: what both may', { actor: 'agent:reviewer' }, 'echo x', 'allow'],
    ['lowered: what only the name may is not covered', { actor: 'agent:architect' }, 'raise x', 'ask'],
    ['lowered: a name without rules covers nothing', { actor: 'agent:stranger' }, 'echo x', 'ask'],
    ['a person in the environment changes nothing', { actor: 'human:ada' }, 'raise x', 'ask'],
    ['the id without its secret lowers', { env: { AGENT_ID: 'desk' } }, 'reviewer x', 'deny'],
    ['the id without its secret raises nothing', { env: { AGENT_ID: 'pane' } }, 'raise x', 'ask'],
  ])('%s', async (_name, frame, command, decision) => {
    expect((await daemon.hook('PreToolUse', bash(command), { ...frame, attended: true })).decision).toBe(decision)
  })

  test('a role by its secret replaces the base', async () => {
    const judged = async (command: string) =>
      (await daemon.hook('PreToolUse', bash(command), { attended: true, ...secretOf('pane') })).decision
    expect([await judged('raise x'), await judged('base x'), await judged('architect x')]).toEqual(['allow', 'allow', 'deny'])
  })

  test('a secret ends with another role for the same agent', async () => {
    const old = await daemon.bind('moved', 'architect')
    const fresh = await daemon.bind('moved', 'reviewer')
    const judged = async (secret: string) => (await daemon.hook('PreToolUse', bash('raise x'), { attended: true, secret })).decision
    expect([await judged(old), await judged(fresh)]).toEqual(['ask', 'ask'])
    const [before, after] = (await daemon.entries('pre_tool_use')).slice(-2)
    expect([before?.actor, after?.actor]).toEqual([BASE, 'agent:reviewer'])
    expect(await daemon.rpc('agent.release', { secret: fresh })).toMatchObject({ result: { released: true } })
    await daemon.hook('PreToolUse', bash('never x'), { secret: fresh })
    expect((await daemon.entries('pre_tool_use')).at(-1)?.actor).toBe(BASE)
  })
})

describe('a sub-agent', () => {
  const judged = async (type: string, command: string, frame: object = {}) => {
    const call = { tool_name: 'Bash', tool_input: { command }, tool_use_id: `sub-${++calls}`, agent_id: 'a1', agent_type: type }
    return (await daemon.hook('PreToolUse', call, { attended: true, ...frame })).decision
  }
  test('that a rule names is itself', async () => {
    expect([await judged('scout', 'scout x'), await judged('scout', 'base x'), await judged('scout', 'echo no')]).toEqual([
      'allow',
      'ask',
      'deny',
    ])
  })
  test('that only a glob lets through can only lower rights', async () => {
    expect([await judged('executor', 'executor x'), await judged('executor', 'base x'), await judged('executor', 'echo no')]).toEqual([
      'ask',
      'deny',
      'deny',
    ])
    const secret = secrets.pane
    expect([await judged('scout', 'scout x', { secret }), await judged('scout', 'echo no', { secret })]).toEqual(['ask', 'deny'])
  })
  test('that the policy does not know is the agent itself', async () => {
    expect([await judged('general-purpose', 'echo x'), await judged('general-purpose', 'base x')]).toEqual(['allow', 'deny'])
  })
})

describe('the client that judges alone', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'belay-alone-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('every way to say who calls, without a daemon', async () => {
    const home = join(folder, 'home')
    mkdirSync(home)
    const said = TABLE.filter(({ field, secret }) => field === null && secret !== 'made-up')
    for (const [index, each] of said.entries()) {
      const { exitCode, stdout } = await runHook(
        { agent: 'claude-code', event: 'PreToolUse', direct: true, deadlineMs: null },
        {
          payload: JSON.stringify(payloadOf({ ...never(), tool_use_id: `alone ${index}` })),
          cwd: daemon.project,
          env: { HOME: folder, PATH: process.env.PATH, BELAY_HOME: home, ...variablesOf(each) },
          isTty: false,
          etc: join(home, 'etc'),
          startDaemon: () => undefined,
        },
      )
      expect([exitCode, JSON.parse(stdout).hookSpecificOutput.permissionDecision]).toEqual([0, 'deny'])
    }
    const spool = join(home, 'spool')
    const drafts = readdirSync(spool).map(name => JSON.parse(readFileSync(join(spool, name), 'utf8')).draft)
    const found = drafts.map(({ actor, body }) => [
      body.toolUseId,
      { actor, alsoAs: listOf(body.alsoAs), refused: listOf(body.refusedNames) },
    ])
    // What a person bound is the daemon's to know.
    const wanted = said.map((each, index) => [`alone ${index}`, expected({ ...each, id: null, secret: null })])
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(wanted))
  })
})

describe('config.toml', () => {
  test('gives a role to a kind of agent; no other name replaces it', async () => {
    const other = await runDaemon({ policy: POLICY, config: '[agents.claude-code]\nactor = "architect"\n' })
    const bash = (command: string) => ({ tool_name: 'Bash', tool_input: { command }, tool_use_id: 't' })
    const judged = async (command: string, frame: object = {}) =>
      (await other.hook('PreToolUse', bash(command), { attended: true, ...frame })).decision
    expect([await judged('raise x'), await judged('architect x')]).toEqual(['allow', 'deny'])
    expect([await judged('raise x', { actor: BASE }), await judged('architect x', { actor: BASE })]).toEqual(['ask', 'deny'])
    await other.stop()
  })
})
