// Starts one hook. A synchronous function has answered when this returns; everything else answers by promise.
import { callInline, readAnswer, readThrown } from '../handler/inline.ts'
import { InlineContext } from '../handler/inline-context.ts'
import type { InlineAnswer } from '../hook/hook-context.ts'
import type { HandlerRun } from '../hook/hook-result.ts'
import type { RegisteredHook } from '../registry/registered-hook.ts'
import type { RunOptions } from './engine-parts.ts'
import type { Firing } from './firing.ts'

/** What tells a running hook to end: the context of a function, the controller of everything else. */
export type Stopper = InlineContext | AbortController

/** The promise of a function hook gives its answer, that of any other hook its run. */
export type Pending = Promise<InlineAnswer | HandlerRun>

export function createStopper(firing: Firing, hook: RegisteredHook): Stopper {
  return hook.inline === null ? new AbortController() : new InlineContext(firing.event, firing, hook.label)
}

export function startHook(firing: Firing, hook: RegisteredHook, stopper: Stopper): HandlerRun | Pending {
  if (firing.isReported) firing.options.observer?.started(hook.label, hook.definition.statusMessage ?? null)
  if (hook.inline !== null && stopper instanceof InlineContext) return callInline(hook.inline, stopper, hook.label)
  return callHandler(firing, hook, stopper)
}

function callHandler(firing: Firing, hook: RegisteredHook, stopper: Stopper): HandlerRun | Pending {
  try {
    return firing.parts.runHandler(hook.definition, firing.event, runOptions(firing, hook, stopper.signal))
  } catch (error) {
    return readThrown(error, hook.label)
  }
}

export function readPending(value: InlineAnswer | HandlerRun, stopper: Stopper, hook: RegisteredHook): HandlerRun {
  return stopper instanceof InlineContext ? readAnswer(value as InlineAnswer, stopper, hook.label) : (value as HandlerRun)
}

function runOptions({ options, deadlineAt }: Firing, hook: RegisteredHook, signal: AbortSignal): RunOptions {
  const { observer, mode, messages, handlers } = options
  return {
    ...handlers,
    signal,
    mode: mode ?? 'interactive',
    ...(deadlineAt === null ? {} : { deadlineMs: deadlineAt - performance.now() }),
    ...(messages === undefined ? {} : { messages }),
    ...(observer === undefined ? {} : { onOutput: (text: string) => observer.output(hook.label, text) }),
  }
}
