// `belay guardrails try NAME`: one event through one guardrail, with the config of the policy or, where it has none, that of the example.
// Nothing is recorded and no command is run: a verification counts as passed.

import { homedir } from 'node:os'
import {
  createCallMatcher,
  createEngine,
  createGuardrails,
  createRegistry,
  createRulePorts,
  type FireResult,
  findGuardrail,
  type GuardrailConfig,
  type GuardrailPorts,
  type GuardrailSettings,
  type HookEvent,
  listGuardrails,
  parseEventPayload,
} from '@belay/core'
import { errorText, isObject } from '@belay/core/value'
import { parse } from 'yaml'
import { judgeContext } from '../config/genesis-context.ts'
import { findHome } from '../config/home.ts'
import { GUARDRAIL_EXAMPLES } from '../guardrail/guardrail-example.ts'
import { createDryWorld } from '../guardrail/guardrail-world.ts'
import { type CommandIo, type ExitCode, exitCodeOf, fail, printJson, printLine } from '../terminal/io.ts'
import { unknownName } from './guardrails.ts'
import { asTrusted, loadForCommand } from './policies.ts'

export interface TryOptions {
  readonly name: string
  readonly event?: string
  readonly tool?: string
  readonly input?: string
  readonly payload?: string
  readonly json?: boolean
}

export async function runGuardrailsTry(options: TryOptions, io: CommandIo): Promise<ExitCode> {
  const guardrail = findGuardrail(options.name)
  if (guardrail === null) return unknownName(io, options.name)
  const loaded = loadForCommand(io)
  const name = options.event ?? guardrail.events[0] ?? ''
  const event = readEvent(name, options, io)
  if (typeof event === 'string') return fail(io, event, `belay guardrails try ${options.name} ${argumentsFor(name)}`)
  const active = listGuardrails(asTrusted(io, loaded.policies))
  const configOf = (wanted: string) => active.find(({ setting }) => setting.name === wanted)?.setting.config
  const own = configOf(guardrail.name)
  const config = own ?? exampleOf(guardrail.name)
  const shared = configOf('schema_guard') ?? exampleOf('schema_guard')
  const settings: GuardrailSettings = { schema_guard: { ...shared, mode: 'off' }, [guardrail.name]: config }
  const registry = createRegistry()
  registry.addAll(createGuardrails(settings, portsFor(loaded.root, io), { scope: 'policy' }))
  const fired = await createEngine({ registry }).fire(event)
  show(io, {
    name: options.name,
    event: event.name,
    from: own === undefined ? 'the example' : 'the policy',
    fired,
    json: options.json === true,
  })
  return exitCodeOf(fired.verdict.decision)
}

const CALL = `--tool Write --input '{"file_path": "x"}'`
const ARGUMENTS: Readonly<Record<string, string>> = {
  PostToolUse: `${CALL} --payload '{"tool_response": "content is required"}'`,
  PostToolUseFailure: `${CALL} --payload '{"error": "ENOENT: no such file"}'`,
  PostToolBatch: `--event PostToolBatch --payload '{"tool_calls": []}'`,
  UserPromptSubmit: `--payload '{"prompt": "write the release notes"}'`,
}

/** What makes the event whole. */
function argumentsFor(event: string): string {
  return ARGUMENTS[event] ?? CALL
}

function exampleOf(name: keyof typeof GUARDRAIL_EXAMPLES): GuardrailConfig {
  const read = parse(GUARDRAIL_EXAMPLES[name]) as Readonly<Record<string, GuardrailConfig | undefined>>
  return read[name] ?? {}
}

/** A text says what is wrong. */
function readEvent(name: string, { tool, input, payload }: TryOptions, io: CommandIo): HookEvent | string {
  const given = readJson('--payload', payload)
  const toolInput = readJson('--input', input)
  if (typeof given === 'string') return given
  if (typeof toolInput === 'string') return toolInput
  const raw = {
    session_id: 'tried',
    cwd: io.cwd,
    ...(tool === undefined ? {} : { tool_name: tool, tool_input: toolInput, tool_use_id: 'tried' }),
    ...given,
  }
  const parsed = parseEventPayload(name, raw)
  if (!parsed.ok) return `${name}: ${parsed.problems.map(({ path, message }) => `${path} ${message}`.trim()).join('; ')}`
  return { ...parsed.value, cwd: parsed.value.cwd ?? io.cwd, actor: 'agent:tried', agent: 'tried', commitment: null, env: {} }
}

function readJson(option: string, text: string | undefined): Readonly<Record<string, unknown>> | string {
  if (text === undefined) return {}
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value as Readonly<Record<string, unknown>>
    return `${option} must be a JSON object`
  } catch (error) {
    return `${option} is not JSON: ${errorText(error)}`
  }
}

function portsFor(root: string, io: CommandIo): GuardrailPorts {
  const belayHome = findHome(io.env)
  return {
    now: Date.now,
    rootOf: () => root,
    ...createDryWorld({ belayHome, userHome: io.env.HOME ?? homedir() }),
    matchesCall: createCallMatcher(createRulePorts(({ cwd }) => judgeContext({ root, cwd, belayHome, env: io.env, hasPolicy: false }))),
  }
}

interface Shown {
  readonly name: string
  readonly event: string
  readonly from: string
  readonly fired: FireResult
  readonly json: boolean
}

function show(io: CommandIo, { name, event, from, fired, json }: Shown): void {
  const { verdict, context, messages, evidence } = fired
  const reason = 'reason' in verdict ? (verdict.reason ?? null) : null
  if (json) {
    printJson(io, { name, event, config: from, decision: verdict.decision, reason, context, messages, evidence })
    return
  }
  printLine(io.stdout, `${name} on ${event}, with the config of ${from}: ${verdict.decision}`)
  if (reason !== null) printLine(io.stdout, `  ${reason}`)
  for (const text of context) printLine(io.stdout, `  for the model: ${text}`)
  for (const text of messages) printLine(io.stdout, `  for the person: ${text}`)
  for (const { kind, data } of evidence) printLine(io.stdout, `  kept as ${kind}: ${JSON.stringify(data)}`)
}
