// For code: register functions by event name, fire events from an agent's own loop.
import { EVENTS, findEvent } from '../event/table.ts'
import type { BuiltinPorts } from '../handler/builtin/ports.ts'
import { runHandler } from '../handler/run-handler.ts'
import { BelayError } from '../hook/errors.ts'
import type { HookContext, InlineAnswer, InlineHandler } from '../hook/hook-context.ts'
import type { Handler, HookDefinition } from '../hook/hook-definition.ts'
import { suggest, suggestRemedy } from '../policy/genesis/suggest.ts'
import type { HookSettings } from '../registry/plan.ts'
import type { HookPorts } from '../registry/registered-hook.ts'
import { createRegistry, type Registry, type Undo } from '../registry/registry.ts'
import { none } from '../verdict/verdict.ts'
import { type BatchOptions, createEngine, type Engine } from './engine.ts'
import type { FireOptions, RunHandler } from './engine-parts.ts'
import type { FireResult, HookRun } from './fire-result.ts'
import { checkBuiltins, createLibraryBuiltins } from './library-builtins.ts'
import { createLibraryPorts } from './library-ports.ts'
import { type Caller, fillCaller, makeEvent } from './make-event.ts'
import type { Progress, StreamOptions } from './stream.ts'
import type { HookableEvent, HookFunction, LibraryMatcher, PayloadOf, Registration } from './typed-context.ts'

export type OnOptions = Partial<Omit<HookDefinition, 'event' | 'handler' | 'matcher'>>

type OtherHandler = Exclude<Handler, { readonly type: 'inline' }>

type AnyFunction = (context: HookContext) => InlineAnswer | Promise<InlineAnswer>

export interface Hooks {
  readonly registry: Registry
  /** What fires them, for hosts that bring whole events. */
  readonly engine: Engine
  on<N extends HookableEvent>(event: N, run: HookFunction<N> | OtherHandler, options?: OnOptions): Undo
  on<N extends HookableEvent>(event: N, matcher: LibraryMatcher, run: HookFunction<N> | OtherHandler, options?: OnOptions): Undo
  /** An event that Belay does not know: its hooks run, and decide nothing. */
  on(event: string, matcher: LibraryMatcher, run: AnyFunction | OtherHandler, options?: OnOptions): Undo
  readonly fire: FireByName
  fireBatch<N extends HookableEvent>(event: N, payload: PayloadOf<N>, options?: BatchOptions & Caller): Promise<readonly HookRun[]>
}

export interface FireByName {
  <N extends HookableEvent>(event: N, payload: PayloadOf<N>, options?: FireOptions & Caller): Promise<FireResult>
  stream<N extends HookableEvent>(
    event: N,
    payload: PayloadOf<N>,
    options?: StreamOptions & Caller,
  ): AsyncGenerator<Progress, void, undefined>
}

export interface HooksOptions extends Caller {
  readonly settings?: HookSettings
  readonly ports?: HookPorts
  readonly runHandler?: RunHandler
  /** What built-in hooks in code may use beyond what every process has: `createSpoolRecorder().ports` for the ledger. */
  readonly builtins?: BuiltinPorts
}

export function createHooks(registration: Registration = {}, options: HooksOptions = {}): Hooks {
  const caller = fillCaller(options)
  const registry = createRegistry(options.ports ?? createLibraryPorts(caller.cwd))
  const builtins = { ...createLibraryBuiltins(), ...options.builtins }
  const engine = createEngine({ registry, runHandler: options.runHandler ?? withBuiltins(builtins) })
  // A handler of the caller's own knows what it has; permissions are the pipeline's.
  const check = (hooks: readonly HookDefinition[]) => {
    if (options.runHandler === undefined) checkBuiltins(hooks, { ...builtins, judgeEvent: none })
    return hooks
  }
  if (options.settings !== undefined) registry.configure(options.settings)
  registry.addAll(check(readRegistration(registration)))
  const fire = (event: string, payload: object, given?: FireOptions & Caller) =>
    engine.fire(makeEvent(event, payload, caller, given), given)
  const stream = (event: string, payload: object, given?: StreamOptions & Caller) =>
    engine.fire.stream(makeEvent(event, payload, caller, given), given)
  return {
    registry,
    engine,
    on: (event: string, ...rest: readonly unknown[]) => registry.addAll(check([readOn(event, rest)])),
    fire: Object.assign(fire, { stream }),
    fireBatch: (event, payload, given) => engine.fireBatch(makeEvent(event, payload, caller, given), given),
  }
}

/** What a pipeline has goes before what every process has. */
function withBuiltins(builtins: BuiltinPorts): RunHandler {
  return (hook, event, run) => runHandler(hook, event, { ...run, ports: { ...builtins, ...run.ports } })
}

function readRegistration(registration: Registration): HookDefinition[] {
  return Object.entries(registration).flatMap(([event, groups]) =>
    groups.flatMap(({ matcher, hooks }) => [...hooks].map(run => define(event, matcher ?? null, run, {}))),
  )
}

/** `(run, options?)` or `(matcher, run, options?)`: a function in second place is a matcher only if a hook follows it. */
function readOn(event: string, rest: readonly unknown[]): HookDefinition {
  const [first, second, third] = rest
  if (isRunnable(second)) return define(event, first, second, third)
  return define(event, null, first, second)
}

function define(event: string, matcher: unknown, run: unknown, options: unknown): HookDefinition {
  if (typeof event !== 'string' || event === '') throw new BelayError('BELAY_HOOK_DEFINITION', `${String(event)} is not an event name`)
  refuseSlip(event)
  if (!isRunnable(run)) throw new BelayError('BELAY_HOOK_DEFINITION', `the ${event} hook is ${typeof run}, not a function or a handler`)
  checkOptions(event, options)
  if (!isMatcher(matcher)) throw new BelayError('BELAY_HOOK_MATCHER', `the matcher of a ${event} hook is ${typeof matcher}`)
  return {
    scope: 'session',
    ...(options as OnOptions | undefined),
    event,
    // The registry calls a function only with the context of the event it was registered for.
    handler: typeof run === 'function' ? { type: 'inline', run: run as InlineHandler } : run,
    ...(matcher === null || matcher === undefined
      ? {}
      : { matcher: typeof matcher === 'string' ? { dialect: 'library', text: matcher } : matcher }),
  }
}

/** A name close to a known one is a slip, and its hooks would never run. One that is close to none may be the host's own. */
function refuseSlip(event: string): void {
  if (findEvent(event) !== null) return
  const known = EVENTS.map(({ name }) => name)
  const meant = suggest(event, known)
  if (meant !== null) throw new BelayError('BELAY_HOOK_DEFINITION', `there is no event ${event} (did you mean ${meant}?)`)
}

const OPTION_NAMES: Readonly<Record<keyof OnOptions, true>> = {
  scope: true,
  name: true,
  onlyIf: true,
  condition: true,
  during: true,
  once: true,
  async: true,
  timeoutMs: true,
  budgetMs: true,
  fail: true,
  order: true,
  statusMessage: true,
  place: true,
}

/** A misspelt option would be one that does nothing; what the others hold is checked with the whole hook. */
function checkOptions(event: string, options: unknown): void {
  if (options === undefined) return
  if (typeof options !== 'object' || options === null)
    throw new BelayError('BELAY_HOOK_DEFINITION', `the options of a ${event} hook are ${String(options)}, not an object`)
  const unknown = Object.keys(options).find(key => !Object.hasOwn(OPTION_NAMES, key))
  if (unknown === undefined) return
  const remedy = suggestRemedy(unknown, Object.keys(OPTION_NAMES))
  throw new BelayError('BELAY_HOOK_DEFINITION', `a ${event} hook has no option ${unknown} (${remedy})`)
}

function isRunnable(value: unknown): value is AnyFunction | OtherHandler {
  return typeof value === 'function' || (typeof value === 'object' && value !== null && 'type' in value)
}

function isMatcher(value: unknown): value is LibraryMatcher | undefined {
  return value === undefined || value === null || typeof value === 'string' || typeof value === 'function' || value instanceof RegExp
}
