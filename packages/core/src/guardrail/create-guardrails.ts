// Settings -> ordinary inline hooks. One table, one row per guardrail; a row that goes takes its guardrail with it.
import { GUARDRAIL_NAMES } from '../hook/guardrail-names.ts'
import type { HookContext, InlineAnswer } from '../hook/hook-context.ts'
import type { HookDefinition, Scope } from '../hook/hook-definition.ts'
import type { ConfigProblem } from '../value/config-problem.ts'
import { none } from '../verdict/verdict.ts'
import { artifacts } from './artifacts.ts'
import { openConfig } from './config-reader.ts'
import { failureHints } from './failure-hints.ts'
import {
  GUARDRAIL_MODES,
  type Guardrail,
  type GuardrailConfig,
  type GuardrailHook,
  type GuardrailMode,
  type GuardrailName,
  type GuardrailSettings,
} from './guardrail.ts'
import type { GuardrailPorts } from './guardrail-ports.ts'
import { schemaGuard } from './schema-guard.ts'
import { schemaNudge } from './schema-nudge.ts'
import { sideEffects } from './side-effects.ts'
import { skillDiscovery } from './skill-discovery.ts'
import { stopHarness } from './stop-harness.ts'
import { toolLedger } from './tool-ledger.ts'

interface GuardrailRow {
  readonly name: GuardrailName
  readonly description: string
  readonly events: readonly string[]
  readonly isHarmless: boolean
  check(config: GuardrailConfig): readonly ConfigProblem[]
  create(config: GuardrailConfig, ports: GuardrailPorts): readonly GuardrailHook[]
}

function row<Config>(guardrail: Guardrail<Config>): GuardrailRow {
  const open = (config: GuardrailConfig) => {
    const reader = openConfig(config)
    reader.choice('mode', GUARDRAIL_MODES, 'strict')
    const read = guardrail.readConfig(reader)
    reader.refuseOthers()
    return { read, problems: reader.problems }
  }
  const { name, description, events, isHarmless } = guardrail
  return {
    name,
    description,
    events,
    isHarmless,
    check: config => open(config).problems,
    create: (config, ports) => guardrail.createHooks(open(config).read, ports),
  }
}

export const GUARDRAILS: readonly GuardrailRow[] = [
  row(schemaGuard),
  row(schemaNudge),
  row(failureHints),
  row(sideEffects),
  row(toolLedger),
  row(artifacts),
  row(stopHarness),
  row(skillDiscovery),
]

export function findGuardrail(name: string): GuardrailRow | null {
  return GUARDRAILS.find(each => each.name === name) ?? null
}

/** What is wrong with a config; empty: nothing. */
export function checkGuardrail(name: string, config: GuardrailConfig): readonly ConfigProblem[] {
  return (
    findGuardrail(name)?.check(config) ?? [
      { path: [], message: `there is no guardrail ${name}`, remedy: `there are ${GUARDRAIL_NAMES.join(', ')}` },
    ]
  )
}

export function modeOf(config: GuardrailConfig): GuardrailMode {
  return GUARDRAIL_MODES.find(mode => mode === config.mode) ?? 'strict'
}

export interface GuardrailOptions {
  readonly scope?: Scope
  readonly place?: HookDefinition['place']
}

/** Throws where a config is wrong or a port is missing: policies are checked beforehand, in code it is a mistake of the program. */
export function createGuardrails(
  settings: GuardrailSettings,
  ports: GuardrailPorts,
  options: GuardrailOptions = {},
): readonly HookDefinition[] {
  checkNames(settings)
  return GUARDRAILS.flatMap(guardrail => {
    const config = withSharedTools(guardrail.name, settings)
    if (config === undefined || modeOf(config) === 'off') return []
    const [problem] = guardrail.check(config)
    if (problem !== undefined) throw new Error(`guardrail ${guardrail.name}: ${problem.message}`)
    const isGuide = modeOf(config) === 'guide'
    return guardrail.create(config, ports).map(hook => defineHook(guardrail.name, hook, isGuide, options))
  })
}

function checkNames(settings: GuardrailSettings): void {
  for (const [name, config] of Object.entries(settings)) {
    if (findGuardrail(name) === null) throw new Error(`there is no guardrail ${name}; there are ${GUARDRAIL_NAMES.join(', ')}`)
    if (config !== undefined && (typeof config !== 'object' || config === null || Array.isArray(config)))
      throw new Error(`guardrail ${name}: its settings must be an object, such as { mode: 'strict' }`)
  }
}

/** The nudge knows the tools that the guard was told about. */
function withSharedTools(name: GuardrailName, settings: GuardrailSettings): GuardrailConfig | undefined {
  const own = settings[name]
  const shared = settings.schema_guard?.tools
  return name === 'schema_nudge' && own !== undefined && own.tools === undefined && shared !== undefined ? { ...own, tools: shared } : own
}

function defineHook(name: GuardrailName, hook: GuardrailHook, isGuide: boolean, { scope, place }: GuardrailOptions): HookDefinition {
  return {
    name,
    event: hook.event,
    scope: scope ?? 'session',
    handler: { type: 'inline', run: isGuide ? advise(hook.run) : hook.run },
    ...(hook.matcher === undefined ? {} : { matcher: { dialect: 'genesis', text: hook.matcher } }),
    ...(place === undefined ? {} : { place }),
    // What cannot deny must not hold anything up by failing either.
    ...(isGuide || hook.event !== 'PreToolUse' ? { fail: 'open' } : {}),
  }
}

/** What would be denied or asked is said to the model instead. */
function advise(run: GuardrailHook['run']): GuardrailHook['run'] {
  return async (context: HookContext) => soften(await run(context))
}

function soften(answer: InlineAnswer): InlineAnswer {
  if (typeof answer !== 'object' || answer === null) return answer
  const verdict = 'decision' in answer ? answer : (answer.verdict ?? none())
  const rest = 'decision' in answer ? {} : answer
  if (verdict.decision !== 'deny' && verdict.decision !== 'ask') return answer
  const advice = [rest.context, verdict.reason].filter(text => text !== undefined).join('\n')
  return { ...rest, verdict: none(), ...(advice === '' ? {} : { context: advice }) }
}
