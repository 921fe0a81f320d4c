// Whether a hook can work at all, before it is registered. What programs hand over is not always what its type says, and a hook with a
// handler or an option that means nothing would fail, or stay silent, when it is needed.
import { BelayError } from '../hook/errors.ts'
import type { BuiltinName, CommandDialect, FailMode, Handler, HookDefinition, HttpHandler, Scope } from '../hook/hook-definition.ts'
import { FLAG, type Kind, MAPPING, TEXT, TEXTS } from '../value/kind.ts'
import { formatPlace } from '../verdict/place.ts'

/** Throws a BelayError that names the hook, its place and what is wrong. */
export function checkDefinition(definition: HookDefinition): void {
  const problem = problemOf(definition)
  if (problem !== null) throw new BelayError('BELAY_HOOK_DEFINITION', `${whichHook(definition)}: ${problem}`)
}

type Check = (value: unknown) => string | null

/** Files may say nothing in it. */
const anyText = checkKind(TEXT)
const texts = checkKind(TEXTS)
const flag = checkKind(FLAG)
const object = checkKind({ ...MAPPING, words: 'an object' })

const SCOPES: Readonly<Record<Scope, true>> = { policy: true, plugin: true, session: true, skill: true }
const FAILS: Readonly<Record<FailMode, true>> = { open: true, closed: true, ask: true }
const ORDERS: Readonly<Record<NonNullable<HookDefinition['order']>, true>> = { sequence: true, group: true }
const DIALECTS: Readonly<Record<CommandDialect, true>> = { settings: true, toml: true, genesis: true }
const METHODS: Readonly<Record<HttpHandler['method'], true>> = { POST: true, PUT: true }
const BUILTINS: Readonly<Record<BuiltinName, true>> = {
  genesis_enforcement: true,
  evidence_capture: true,
  approval_gate: true,
  deny: true,
  modify: true,
  resource_check: true,
  input_sanitization: true,
  ledger_annotation: true,
  format_output: true,
  final_validation: true,
}

const OPTIONS: Readonly<Partial<Record<keyof HookDefinition, Check>>> = {
  event: text,
  scope: oneOf(SCOPES),
  name: optional(anyText),
  onlyIf: optional(anyText),
  condition: optional(anyText),
  statusMessage: optional(anyText),
  during: optional(anyText),
  once: optional(flag),
  async: optional(flag),
  timeoutMs: optional(duration),
  budgetMs: optional(duration),
  fail: optional(oneOf(FAILS)),
  order: optional(oneOf(ORDERS)),
}

const HANDLERS: Readonly<Record<Handler['type'], Readonly<Record<string, Check>>>> = {
  inline: { run: aFunction },
  command: { command: anyText, dialect: oneOf(DIALECTS), args: optional(texts), env: optional(object) },
  http: { url: anyText, method: oneOf(METHODS), headers: object, allowedEnv: texts },
  prompt: { prompt: anyText, model: optional(anyText) },
  agent: { prompt: anyText, model: optional(anyText) },
  mcp_tool: { server: anyText, tool: anyText, input: object },
  builtin: { builtin: oneOf(BUILTINS), config: object },
}

function problemOf(definition: HookDefinition): string | null {
  const wrong = firstProblem(definition, OPTIONS, '')
  if (wrong !== null) return wrong
  const { handler } = definition
  if (object(handler) !== null) return `handler ${object(handler)}`
  const type = oneOf(HANDLERS)(handler.type)
  return type === null ? firstProblem(handler, HANDLERS[handler.type], 'handler.') : `handler.type ${type}`
}

function firstProblem(holder: object, checks: Readonly<Record<string, Check>>, prefix: string): string | null {
  for (const [key, check] of Object.entries(checks)) {
    const problem = check((holder as Readonly<Record<string, unknown>>)[key])
    if (problem !== null) return `${prefix}${key} ${problem}`
  }
  return null
}

function whichHook(definition: HookDefinition): string {
  const { place, event, name } = definition
  return `${place === undefined ? '' : `${formatPlace(place)}: `}the ${String(event)} hook${typeof name === 'string' ? ` "${name}"` : ''}`
}

function oneOf(known: Readonly<Record<string, unknown>>): Check {
  const names = Object.keys(known)
  return value => (typeof value === 'string' && Object.hasOwn(known, value) ? null : `is ${show(value)}, not one of ${names.join(', ')}`)
}

function optional(check: Check): Check {
  return value => (value === undefined ? null : check(value))
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? null : `is ${show(value)}, not a text`
}

function duration(value: unknown): string | null {
  return typeof value === 'number' && value > 0 ? null : `is ${show(value)}, not a number of milliseconds above 0`
}

function aFunction(value: unknown): string | null {
  return typeof value === 'function' ? null : `is ${show(value)}, not a function`
}

function checkKind(kind: Kind<unknown>): Check {
  return value => (kind.is(value) ? null : `is ${show(value)}, not ${kind.words}`)
}

const SHOWN = 60

function show(value: unknown): string {
  if (value === undefined) return 'missing'
  if (typeof value !== 'string')
    return typeof value === 'object' && value !== null ? (Array.isArray(value) ? 'a list' : 'an object') : String(value)
  return JSON.stringify(value.slice(0, SHOWN))
}
