// The result of a firing, and the part of the report about hooks that did not run.
import type { Batch } from '../registry/plan.ts'
import type { RegisteredHook } from '../registry/registered-hook.ts'
import type { FireResult, RunReport, SkipReason } from './fire-result.ts'
import { type Firing, openLog } from './firing.ts'
import { foldWarning } from './fold-answer.ts'

const NOTHING: readonly never[] = Object.freeze([])
const NOTHING_SAID = {
  stop: null,
  suppressOutput: false,
  forAgent: null,
  isByRules: false,
  rewrites: NOTHING,
  context: NOTHING,
  messages: NOTHING,
  warnings: NOTHING,
  evidence: NOTHING,
  dropped: NOTHING,
}
const NOTHING_LOGGED = { runs: NOTHING, skipped: NOTHING, background: NOTHING }
const EMPTY_REPORT: RunReport = Object.freeze({ runs: NOTHING, skipped: NOTHING, dropped: NOTHING })

export function finishFiring(firing: Firing): FireResult {
  if (firing.isReported) reportRest(firing)
  for (const text of firing.parts.warnings.take(firing.event.sessionId)) foldWarning(firing, text)
  const said = firing.said ?? NOTHING_SAID
  const log = firing.log ?? NOTHING_LOGGED
  const result: FireResult = {
    verdict: firing.verdict,
    event: firing.event,
    rewrites: said.rewrites,
    context: said.context,
    messages: said.messages,
    warnings: said.warnings,
    evidence: said.evidence,
    stop: said.stop,
    suppressOutput: said.suppressOutput,
    isByRules: said.isByRules,
    report: firing.isReported ? { runs: log.runs, skipped: log.skipped, dropped: said.dropped } : EMPTY_REPORT,
    background: log.background,
  }
  // A spread costs as much as a hook: few firings need it.
  return said.forAgent === null ? result : { ...result, forAgent: said.forAgent }
}

/** False, for the caller to hand on: the hook does not run. */
export function skipHook(firing: Firing, hook: RegisteredHook, why: SkipReason): false {
  if (!firing.isReported) return false
  openLog(firing).skipped.push({ hook: hook.label, scope: hook.scope, why })
  return false
}

/** The hooks whose turn never came. */
function reportRest(firing: Firing): void {
  const { batches, leftOut } = firing.plan
  for (let at = firing.nextBatch; at < batches.length; at += 1) {
    for (const hook of batches[at] as Batch) skipHook(firing, hook, 'after-deny')
  }
  for (const { hook, why } of leftOut) skipHook(firing, hook, why)
}
