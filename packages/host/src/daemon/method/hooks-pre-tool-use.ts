// hooks.preToolUse: may the tool run, and how the window and the heartbeat stand. Without an effort nothing of the work holds it up.
import { isOverflowing } from '../../state/work-hooks.ts'
import { describeVerdict, type HookOutcome } from './hook-method.ts'

export function answerPreToolUse({ view, guarded }: HookOutcome) {
  const { session, effort, fired, facts } = view
  const { decision, reason } = describeVerdict(guarded)
  const rewrite = guarded.fired.rewrites.findLast(({ target }) => target === 'input')
  return {
    allow: decision !== 'deny' && decision !== 'ask',
    heartbeatCount: effort === null ? null : (facts.heartbeat ?? session?.heartbeat ?? null),
    contextUsage: session?.contextUsage ?? null,
    overflowWarning: effort !== null && isOverflowing(session?.contextUsage ?? null),
    pendingPreloads: session === null ? [] : session.preloadedFiles.filter(file => !session.loadedFiles.has(file)),
    firedRules: fired,
    reason,
    decision,
    updatedInput: rewrite?.after ?? null,
  }
}
