// The waterfall of one event: decode, every hook that ran or was passed over, permissions, encode, the record.
import { gateOf } from '@belay/core'
import type { RecordStep } from '../../page/record.ts'
import { isOverBudget } from '../../statistic/budget.ts'
import { isOwnProtection, OWN_PROTECTION } from '../../statistic/decided-by.ts'
import { type Fields, fieldsIn, listIn, numberIn, textIn } from '../../statistic/read-fields.ts'
import { verdictIn } from '../../statistic/record-row.ts'
import { decidingPart } from './record-part.ts'

export function recordSteps(body: Fields): readonly RecordStep[] {
  if (textIn(body.verdict) === null) return []
  const { decodeMs, hooksMs, permissionsMs, approvalMs, encodeMs } = timingOf(body)
  const afterHooks = sum(decodeMs, hooksMs)
  const end = sum(decodeMs, numberIn(body.tookMs))
  return [
    plainStep({ name: 'decode', kind: 'decode', outcome: 'read', startMs: decodeMs === null ? null : 0, ms: decodeMs }),
    ...listIn(body.hooks).map(hookStep),
    ...listIn(body.skipped).map(skippedStep),
    ...permissionSteps(body, afterHooks, permissionsMs),
    ...(approvalMs === null ? [] : [approvalStep(body, sum(afterHooks, permissionsMs), approvalMs)]),
    plainStep({
      name: 'encode',
      kind: 'encode',
      outcome: 'answered',
      startMs: encodeMs === null ? null : sum(end, -encodeMs),
      ms: encodeMs,
    }),
    plainStep({ name: 'ledger', kind: 'ledger', outcome: 'recorded', startMs: null, ms: null }),
  ]
}

type Timing = Readonly<Record<'decodeMs' | 'hooksMs' | 'permissionsMs' | 'approvalMs' | 'encodeMs', number | null>>

/** As daemon/decision-record.ts writes it; older records have none. */
function timingOf(body: Fields): Timing {
  const timing = fieldsIn(body.timing)
  return {
    decodeMs: numberIn(timing?.decodeMs),
    hooksMs: numberIn(timing?.hooksMs),
    permissionsMs: numberIn(timing?.permissionsMs),
    approvalMs: numberIn(timing?.approvalMs),
    encodeMs: numberIn(timing?.encodeMs),
  }
}

function plainStep(step: Pick<RecordStep, 'name' | 'kind' | 'outcome' | 'startMs' | 'ms'>): RecordStep {
  return { ...step, scope: null, type: null, verdict: 'none', reason: null, isOverBudget: false, skipped: null, place: null, error: null }
}

function hookStep(run: Fields): RecordStep {
  return {
    name: textIn(run.hook) ?? '',
    kind: 'hook',
    ...originOf(run),
    outcome: textIn(run.outcome) ?? '',
    verdict: verdictIn(run.verdict),
    reason: textIn(run.reason),
    startMs: numberIn(run.at),
    ms: numberIn(run.ms),
    isOverBudget: isOverBudget(run),
    skipped: null,
    place: textIn(run.place),
    error: textIn(run.error),
  }
}

/** What no file says is ours, and called so; a guardrail is ours too, but a file switches it on. */
function originOf(run: Fields): Pick<RecordStep, 'scope' | 'type'> {
  const [scope, type] = [textIn(run.scope), textIn(run.handler)]
  if (scope !== 'policy' || type !== 'inline') return { scope, type }
  return { scope: null, type: textIn(run.place) === null ? "Belay's own" : 'guardrail' }
}

const SKIPPED: Readonly<Record<string, string>> = {
  matcher: 'its matcher does not fit',
  'only-if': 'its `if` does not fit',
  condition: 'its condition is false',
  once: 'it has run once already',
  'after-deny': 'a hook before it had denied',
  disabled: 'hooks are switched off',
  'managed-only': 'only hooks of the policy may run',
  duplicate: 'the same hook ran already',
}

function skippedStep(hook: Fields): RecordStep {
  const why = textIn(hook.why) ?? ''
  return {
    ...plainStep({ name: textIn(hook.hook) ?? '', kind: 'hook', outcome: 'skipped', startMs: null, ms: null }),
    scope: textIn(hook.scope),
    skipped: SKIPPED[why] ?? why,
  }
}

function permissionSteps(body: Fields, startMs: number | null, ms: number | null): readonly RecordStep[] {
  if (gateOf(textIn(body.event) ?? '') !== 'tool') return []
  const name = 'permissions'
  if (body.paused === true)
    return [{ ...plainStep({ name, kind: name, outcome: 'skipped', startMs: null, ms: null }), skipped: 'deciding was switched off' }]
  const denier = listIn(body.hooks).find(run => run.verdict === 'deny')
  if (denier !== undefined && body.parts === undefined)
    return [{ ...plainStep({ name, kind: name, outcome: 'skipped', startMs: null, ms: null }), skipped: `${denier.hook} had denied` }]
  const decided = decidingPart(body)
  return [
    {
      ...plainStep({ name, kind: name, outcome: outcomeOf(decided), startMs, ms }),
      verdict: decided === null ? 'none' : verdictIn(decided.decision === 'default' ? body.verdict : decided.decision),
      reason: textIn(decided?.reason),
      place: textIn(fieldsIn(body.rule)?.place),
    },
  ]
}

function outcomeOf(decided: Fields | null): string {
  if (decided === null) return 'no rule'
  return isOwnProtection(decided) ? OWN_PROTECTION : (textIn(decided.decision) ?? '')
}

/** A person was asked; what came of it is the verdict. */
function approvalStep(body: Fields, startMs: number | null, ms: number): RecordStep {
  const verdict = verdictIn(body.verdict)
  const outcome =
    verdict === 'ask'
      ? body.approval === undefined
        ? 'left to the agent'
        : 'nobody answered in time'
      : verdict === 'allow'
        ? 'allowed'
        : 'denied'
  return { ...plainStep({ name: 'approval', kind: 'approval', outcome, startMs, ms }), verdict, reason: textIn(body.reason) }
}

function sum(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : Math.round((a + b) * 1000) / 1000
}
