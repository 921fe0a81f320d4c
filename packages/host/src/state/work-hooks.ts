// Heartbeat, overflow and guards: ordinary function hooks of policy scope, before everything the policy itself lists. They read the work from
// their metadata and take part only where there is an active effort (a `noEffort` guard: only where there is none; the one that tells of an
// effort that another machine took: only then, once), never for engine verbs.
import type { HookDefinition, InlineAnswer } from '@belay/core'
import { deny } from '@belay/core'
import type { Guard } from '@belay/core/policy'
import { logPath } from './artifact.ts'
import { createGuardRules, type GuardRuleOptions } from './guard-rule.ts'
import { TAKEN_EFFORT, viewOf, WITH_EFFORT, WITHOUT_EFFORT, type WorkView } from './work-view.ts'

/** Tool calls without a progress entry before the agent is reminded. */
const WARN_FROM = 3
export const OVERFLOW_FROM = 0.9

export function createWorkHooks(options: GuardRuleOptions): (policyGuards: readonly Guard[]) => readonly HookDefinition[] {
  const guardRules = createGuardRules(options)
  return policyGuards => [
    hook('effort:taken', view => tellTaken(view, options), TAKEN_EFFORT),
    hook('heartbeat', view => heartbeat(view, options.command)),
    hook('overflow', view => overflow(view, options.command)),
    ...byPriority(policyGuards).map(guard => ({
      ...hook(
        `guard:${guard.id}`,
        (view, event) => guardRules.one(guard, view, event),
        guard.trigger.type === 'noEffort' ? WITHOUT_EFFORT : WITH_EFFORT,
      ),
      place: guard.place,
    })),
    hook('guard:effort', (view, event) => guardRules.ofEffort(view, event)),
  ]
}

type Run = (view: WorkView, event: WorkView['call']['event']) => InlineAnswer

function hook(name: string, run: Run, during = WITH_EFFORT): HookDefinition {
  return {
    event: 'PreToolUse',
    scope: 'policy',
    name,
    // All of them speak, whatever one of them says.
    order: 'group',
    during,
    handler: {
      type: 'inline',
      run(context) {
        const view = viewOf(context.metadata)
        return view === null ? undefined : run(view, context.source)
      },
    },
  }
}

function byPriority(guards: readonly Guard[]): readonly Guard[] {
  return [...guards].sort((a, b) => b.priority - a.priority)
}

function tellTaken({ session, fired }: WorkView, { rows }: Pick<GuardRuleOptions, 'rows'>): InlineAnswer {
  const taken = session?.injections.filter(({ kind }) => kind === 'taken') ?? []
  if (session === null || taken.length === 0) return undefined
  session.injections = session.injections.filter(({ kind }) => kind !== 'taken')
  rows.changed(session)
  fired.push('effort:taken')
  return deny(taken.map(({ text }) => text).join('\n'))
}

function heartbeat({ session, effort, exempt, fired }: WorkView, command: string): InlineAnswer {
  if (session === null || effort === null || exempt !== null || session.heartbeat < WARN_FROM) return undefined
  fired.push('heartbeat')
  const how = `log what you did and what comes next: ${command} log "TEXT" (or write to ${logPath(effort)})`
  if (session.heartbeat >= session.interval) return deny(`${session.heartbeat} tool calls without a progress entry; ${how}, then go on`)
  return { context: `${session.heartbeat} tool calls since the last progress entry (blocked at ${session.interval}); ${how}` }
}

function overflow({ session, effort, fired }: WorkView, command: string): InlineAnswer {
  if (effort === null || session === null || !isOverflowing(session.contextUsage)) return undefined
  fired.push('overflow')
  const used = Math.round((session.contextUsage ?? 0) * 100)
  return {
    context: `${used} % of the context window is used. Hand your work over now: ${command} dehydrate '{"summary": "…", "done": [], "remaining": [], "decisions": [], "files": [], "nextStep": "…"}'`,
  }
}

export function isOverflowing(usage: number | null): boolean {
  return usage !== null && usage >= OVERFLOW_FROM
}
