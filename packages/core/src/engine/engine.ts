// An engine: a registry and a way to run handlers, behind the three ways to fire.
import { runHandler } from '../handler/run-handler.ts'
import type { HookEvent } from '../hook/hook-event.ts'
import { createRegistry, type Registry } from '../registry/registry.ts'
import type { EngineParts, FireOptions, RunHandler } from './engine-parts.ts'
import { fire } from './fire.ts'
import type { FireResult, HookRun } from './fire-result.ts'
import { type Progress, type StreamOptions, stream } from './stream.ts'
import { createWarnings } from './warnings.ts'

export interface Fire {
  (event: HookEvent, options?: FireOptions): Promise<FireResult>
  /** For hosts that answer within the turn: no promise where no hook has to be waited for. */
  now(event: HookEvent, options?: FireOptions): FireResult | Promise<FireResult>
  /** Interactive: progress as it happens, then the result. Leaving the loop cancels. */
  stream(event: HookEvent, options?: StreamOptions): AsyncGenerator<Progress, void, undefined>
}

export interface Engine {
  readonly registry: Registry
  readonly fire: Fire
  /** Batch: nobody watches and nobody cancels; one entry per hook that ran. Prompt and agent hooks fail there. */
  fireBatch(event: HookEvent, options?: BatchOptions): Promise<readonly HookRun[]>
}

export type BatchOptions = Pick<FireOptions, 'deadlineMs' | 'messages' | 'metadata'>

export interface EngineOptions {
  readonly registry?: Registry
  /** How hooks that are not functions run; the host closes over what they need (a model, an MCP client, the ledger). */
  readonly runHandler?: RunHandler
}

export function createEngine(options: EngineOptions = {}): Engine {
  const parts: EngineParts = {
    registry: options.registry ?? createRegistry(),
    runHandler: options.runHandler ?? runHandler,
    metadata: new Map(),
    warnings: createWarnings(),
  }
  const now = (event: HookEvent, given?: FireOptions) => fire(parts, event, given)
  const fireOne = (event: HookEvent, given?: FireOptions) => Promise.resolve(fire(parts, event, given))
  return {
    registry: parts.registry,
    fire: Object.assign(fireOne, { now, stream: (event: HookEvent, given?: StreamOptions) => stream(parts, event, given) }),
    async fireBatch(event, given) {
      const { report } = await fire(parts, event, { ...given, mode: 'batch' })
      return report.runs
    },
  }
}
