// The one door to handlers: picks the runner by type, holds the time, never throws and never rejects.
// Processes and requests are loaded with the first hook that needs them: they are most of what loading handlers costs.

import type { HookDefinition } from '../hook/hook-definition.ts'
import type { HookEvent } from '../hook/hook-event.ts'
import type { HandlerRun } from '../hook/hook-result.ts'
import { errorText } from '../value/error-text.ts'
import { runInBackground } from './background.ts'
import { runBuiltin } from './builtin/run-builtin.ts'
import { describeHook } from './describe-hook.ts'
import { failed } from './failure.ts'
import type { HandlerOptions } from './handler-options.ts'
import { limitOf } from './limit.ts'
import { runLlm } from './llm.ts'
import { runMcp } from './mcp.ts'

export async function runHandler(hook: HookDefinition, event: HookEvent, options: HandlerOptions = {}): Promise<HandlerRun> {
  if (hook.async) {
    // Neither the caller's time nor its patience counts for a hook that it does not wait for.
    const { signal: _signal, deadlineMs: _deadlineMs, ...rest } = options
    return runInBackground(dispatch(hook, event, rest))
  }
  if (options.stop?.aborted) return { kind: 'cancelled', why: 'stopped' }
  if (options.signal?.aborted) return { kind: 'cancelled', why: 'aborted' }
  if (limitOf(hook, options) <= 0) return { kind: 'cancelled', why: 'timeout' }
  return dispatch(hook, event, options)
}

async function dispatch(hook: HookDefinition, event: HookEvent, options: HandlerOptions): Promise<HandlerRun> {
  const { handler } = hook
  try {
    switch (handler.type) {
      case 'command': {
        const { runCommand } = await loadCommandRunner()
        return await runCommand({ ...hook, handler }, event, options)
      }
      case 'http': {
        const { runHttp } = await loadHttpRunner()
        return await runHttp({ ...hook, handler }, event, options)
      }
      case 'prompt':
      case 'agent':
        return await runLlm({ ...hook, handler }, event, options)
      case 'mcp_tool':
        return await runMcp({ ...hook, handler }, event, options)
      case 'builtin':
        return await runBuiltin({ ...hook, handler }, event, options)
      case 'inline':
        return failed('BELAY_HANDLER_NOT_APPLICABLE', `${describeHook(hook)} is a function, which the engine calls itself`)
    }
  } catch (error) {
    return failed('BELAY_HANDLER_CRASHED', `${describeHook(hook)}: ${errorText(error)}`)
  }
}

const loadCommandRunner = () => import('./command/run-command.ts')
const loadHttpRunner = () => import('./http/run-http.ts')

/** All of them now: for a process that lives longer than its files may stay where they are. */
export async function loadRunners(): Promise<void> {
  await Promise.all([loadCommandRunner(), loadHttpRunner()])
}
