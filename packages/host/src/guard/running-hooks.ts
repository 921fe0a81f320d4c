// The hooks that run now: who they are, how far they got, and a way to stop one. Those that are done at once are never told of.
import { randomBytes } from 'node:crypto'
import { type HandlerRun, type HookDefinition, type HookEvent, labelHook, type RunHandler } from '@belay/core'
import type { HookProgress, RunningHook } from './running-hook.ts'

export interface RunningHooks {
  /** The same way to run hooks, seen from here. */
  watch(run: (stop: AbortSignal, onOutput: (text: string) => void) => ReturnType<RunHandler>, of: Watched): ReturnType<RunHandler>
  list(): readonly RunningHook[]
  /** null: it does not run, or no longer. */
  stop(id: string): RunningHook | null
}

export interface Watched {
  readonly hook: HookDefinition
  readonly event: HookEvent
}

export interface RunningHooksOptions {
  /** For whoever follows the stream. */
  publish(progress: HookProgress): void
  redact(text: string): string
  now(): number
}

/** A person who looks sees it after this long, and what it tells of itself as often at most. */
const TELL_EVERY_MS = 250
const MAX_PROGRESS = 200

export function createRunningHooks({ publish, redact, now }: RunningHooksOptions): RunningHooks {
  const running = new Map<string, Run>()

  function start({ hook, event }: Watched): Run {
    const stopper = new AbortController()
    const run: Run = { shown: describe(hook, event, now(), redact), stopper, toldAt: now(), isTold: false, timer: undefined }
    running.set(run.shown.id, run)
    run.timer = setTimeout(() => tell(run, 'running'), TELL_EVERY_MS)
    // It must not keep a process alive that has nothing else to do.
    run.timer.unref()
    return run
  }

  function tell(run: Run, state: HookProgress['state']): void {
    run.isTold = true
    run.toldAt = now()
    publish({ ...run.shown, state })
  }

  function end(run: Run, ended: HandlerRun): void {
    clearTimeout(run.timer)
    running.delete(run.shown.id)
    if (run.isTold) tell(run, stateOf(ended))
  }

  /** One that goes on in the background is running until it has ended there. */
  function follow(run: Run, ended: HandlerRun): HandlerRun {
    if (ended.kind !== 'detached') end(run, ended)
    else void ended.settled.then(last => follow(run, last))
    return ended
  }

  return {
    watch(runIt, of) {
      const run = start(of)
      const onOutput = (text: string): void => {
        run.shown = { ...run.shown, progress: lastLine(redact(text)) ?? run.shown.progress }
        if (run.isTold && now() - run.toldAt >= TELL_EVERY_MS) tell(run, 'running')
      }
      const answer = runIt(run.stopper.signal, onOutput)
      return answer instanceof Promise ? answer.then(ended => follow(run, ended)) : follow(run, answer)
    },
    list: () => Array.from(running.values(), ({ shown }) => shown),
    stop(id) {
      const run = running.get(id)
      if (run === undefined) return null
      run.stopper.abort()
      return run.shown
    },
  }
}

interface Run {
  shown: RunningHook
  readonly stopper: AbortController
  isTold: boolean
  toldAt: number
  timer: NodeJS.Timeout | undefined
}

function describe(hook: HookDefinition, event: HookEvent, now: number, redact: (text: string) => string): RunningHook {
  const { place, handler, statusMessage } = hook
  const { toolName } = event.fields
  return {
    id: `run_${randomBytes(4).toString('hex')}`,
    hook: labelHook(hook),
    scope: hook.scope,
    handler: handler.type === 'builtin' ? handler.builtin : handler.type,
    place: place === undefined ? null : `${place.file}:${place.line}`,
    event: event.name,
    tool: typeof toolName === 'string' ? redact(toolName) : null,
    agent: event.agent,
    agentId: event.delivery?.agentId ?? null,
    session: event.sessionId,
    root: event.delivery?.root ?? null,
    status: statusMessage ?? null,
    progress: null,
    startedAt: new Date(now).toISOString(),
    isAsync: hook.async === true,
  }
}

function stateOf(run: HandlerRun): HookProgress['state'] {
  if (run.kind === 'cancelled') return run.why
  return run.kind === 'failed' ? 'failed' : 'ended'
}

function lastLine(text: string): string | null {
  return text.trim().split('\n').at(-1)?.slice(0, MAX_PROGRESS) || null
}
