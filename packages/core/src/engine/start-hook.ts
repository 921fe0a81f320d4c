// Starts one hook. A synchronous function has answered when this returns; everything else answers by promise.
import { callInline, readThrown } from '../handler/inline.ts'
import { InlineContext } from '../handler/inline-context.ts'
import type { HookEvent } from '../hook/hook-event.ts'
import type { HandlerRun } from '../hook/hook-result.ts'
import type { RegisteredHook } from '../registry/registered-hook.ts'
import type { RunOptions } from './engine-parts.ts'
import type { Firing } from './firing.ts'
import type { Started } from './flight.ts'

export function startHook(firing: Firing, hook: RegisteredHook, event: HookEvent): Started {
  const { observer } = firing.options
  const startedAt = firing.isReported ? performance.now() : 0
  const onOutput = observer === undefined ? undefined : (text: string) => observer.output(hook.label, text)
  observer?.started(hook.label)
  const { handler } = hook.definition
  if (handler.type === 'inline') {
    const context = new InlineContext(event, firing.host, onOutput)
    return { hook, context, answer: callInline(handler.run, context, hook.label), startedAt }
  }
  const context = new AbortController()
  return { hook, context, answer: callHandler(firing, hook, event, runOptions(firing, context.signal, onOutput)), startedAt }
}

function callHandler(firing: Firing, hook: RegisteredHook, event: HookEvent, options: RunOptions): HandlerRun | Promise<HandlerRun> {
  try {
    return firing.parts.runHandler(hook.definition, event, options)
  } catch (error) {
    return readThrown(error, hook.label)
  }
}

function runOptions(firing: Firing, signal: AbortSignal, onOutput: ((text: string) => void) | undefined): RunOptions {
  return {
    signal,
    mode: firing.options.mode ?? 'interactive',
    ...(firing.deadlineAt === Number.POSITIVE_INFINITY ? {} : { deadlineMs: firing.deadlineAt - performance.now() }),
    ...(onOutput === undefined ? {} : { onOutput }),
  }
}
