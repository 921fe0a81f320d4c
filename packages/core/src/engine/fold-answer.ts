// How one hook's answer enters the result. Invariants: verdicts fold to the strictest, whatever the order; a deny is never lost;
// what the event, the scope or the kind of hook does not allow is dropped and said so.
import type { EventSpec, RewriteTarget } from '../event/event-spec.ts'
import type { HookEvent } from '../hook/hook-event.ts'
import type { Evidence, HookResult } from '../hook/hook-result.ts'
import type { HookSettings } from '../registry/plan.ts'
import type { RegisteredHook } from '../registry/registered-hook.ts'
import { none, stricter, type Verdict } from '../verdict/verdict.ts'
import type { DroppedAnswer, Rewrite } from './fire-result.ts'
import { hashValue } from './hash-value.ts'

/** What has been said so far. */
export interface Tally {
  verdict: Verdict
  event: HookEvent
  stop: { readonly reason: string } | null
  suppressOutput: boolean
  readonly rewrites: Rewrite[]
  readonly context: string[]
  readonly messages: string[]
  readonly evidence: Evidence[]
  readonly dropped: DroppedAnswer[]
}

export interface FoldRules {
  /** Null: an event nobody knows, where nothing counts. */
  readonly spec: EventSpec | null
  readonly modifyFrom: HookSettings['modifyFrom']
}

export function createTally(event: HookEvent): Tally {
  return {
    verdict: none(),
    event,
    stop: null,
    suppressOutput: false,
    rewrites: [],
    context: [],
    messages: [],
    evidence: [],
    dropped: [],
  }
}

/** Gives back the verdict that counted. `batchStart` is how many rewrites there were before the hook's group began. */
export function foldAnswer(tally: Tally, hook: RegisteredHook, result: HookResult, rules: FoldRules, batchStart: number): Verdict {
  const verdict = foldVerdict(tally, hook, result.verdict, rules)
  if (result.rewrite !== undefined) foldRewrite(tally, hook, result.rewrite, rules, batchStart)
  if (result.context !== undefined) {
    if (rules.spec?.injects) tally.context.push(result.context)
    else drop(tally, hook, 'context', cannot(rules.spec, 'give the model text'))
  }
  if (result.stop !== undefined) {
    if (rules.spec?.stops) tally.stop ??= result.stop
    else drop(tally, hook, 'stop', cannot(rules.spec, 'end the turn'))
  }
  if (result.message !== undefined) tally.messages.push(result.message)
  if (result.evidence !== undefined) tally.evidence.push(result.evidence)
  if (result.suppressOutput) tally.suppressOutput = true
  return verdict
}

export function foldVerdict(tally: Tally, hook: RegisteredHook, verdict: Verdict, { spec }: FoldRules): Verdict {
  const { decision } = verdict
  if (decision === 'none') return verdict
  if (spec === null || !spec.decisions.includes(decision)) {
    drop(tally, hook, decision, cannot(spec, decision))
    return none()
  }
  if (decision === 'allow' && isModel(hook)) {
    drop(tally, hook, 'allow', 'a model can only tighten')
    return none()
  }
  tally.verdict = stricter(tally.verdict, verdict)
  return verdict
}

function foldRewrite(
  tally: Tally,
  hook: RegisteredHook,
  rewrite: NonNullable<HookResult['rewrite']>,
  rules: FoldRules,
  batchStart: number,
): void {
  for (const target of ['input', 'prompt', 'output'] as const) {
    if (!Object.hasOwn(rewrite, target) || rewrite[target] === undefined) continue
    const why = refuseRewrite(hook, target, rewrite[target], rules)
    if (why !== null) drop(tally, hook, `rewrite ${target}`, why)
    else applyRewrite(tally, hook, target, rewrite[target], rules.spec?.rewrites[target] ?? target, batchStart)
  }
}

function refuseRewrite(hook: RegisteredHook, target: RewriteTarget, value: unknown, { spec, modifyFrom }: FoldRules): string | null {
  if (spec?.rewrites[target] === undefined) return cannot(spec, `rewrite the ${target}`)
  if (modifyFrom === 'policy' && hook.scope !== 'policy') return 'the settings let only policy hooks rewrite (modifyFrom: policy)'
  if (isModel(hook)) return 'a model can only tighten'
  if (target === 'input' && (typeof value !== 'object' || value === null || Array.isArray(value))) return 'the new input is not an object'
  return target === 'prompt' && typeof value !== 'string' ? 'the new prompt is not text' : null
}

function applyRewrite(tally: Tally, hook: RegisteredHook, target: RewriteTarget, after: unknown, field: string, batchStart: number): void {
  const before = tally.event.fields[field]
  const conflict = tally.rewrites.findLast((earlier, index) => index >= batchStart && earlier.target === target)
  tally.event = { ...tally.event, fields: { ...tally.event.fields, [field]: after } }
  tally.rewrites.push(recordRewrite(hook, target, before, after, conflict?.hook))
}

/** Most rewrites are never looked at again, so the hashes wait until somebody asks. */
function recordRewrite(
  hook: RegisteredHook,
  target: RewriteTarget,
  before: unknown,
  after: unknown,
  conflict: string | undefined,
): Rewrite {
  let beforeHash: string | undefined
  let afterHash: string | undefined
  return {
    hook: hook.label,
    scope: hook.scope,
    target,
    before,
    after,
    get beforeHash() {
      beforeHash ??= hashValue(before)
      return beforeHash
    },
    get afterHash() {
      afterHash ??= hashValue(after)
      return afterHash
    },
    ...(conflict === undefined ? {} : { conflictsWith: conflict }),
  }
}

function isModel(hook: RegisteredHook): boolean {
  const { type } = hook.definition.handler
  return type === 'prompt' || type === 'agent'
}

function drop(tally: Tally, hook: RegisteredHook, what: DroppedAnswer['what'], why: string): void {
  tally.dropped.push({ hook: hook.label, what, why })
}

function cannot(spec: EventSpec | null, what: string): string {
  return spec === null ? 'an unknown event decides nothing' : `a ${spec.name} hook cannot ${what}`
}
