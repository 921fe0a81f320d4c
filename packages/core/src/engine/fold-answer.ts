// How one hook's answer enters the result. Invariants: verdicts fold to the strictest, whatever the order; a deny is never lost;
// what the event, the scope or the kind of hook does not allow is dropped and said so.
import type { EventSpec, RewriteTarget } from '../event/event-spec.ts'
import type { HookEvent } from '../hook/hook-event.ts'
import type { Evidence, ForAgent, HookResult } from '../hook/hook-result.ts'
import type { Plan } from '../registry/plan.ts'
import type { RegisteredHook } from '../registry/registered-hook.ts'
import { deny, none, stricter, type Verdict } from '../verdict/verdict.ts'
import type { AttributedEvidence, DroppedAnswer, Rewrite, StopOrder } from './fire-result.ts'
import { hashValue } from './hash-value.ts'

/** What has been said so far. */
export interface Tally {
  verdict: Verdict
  event: HookEvent
  /** Everything but verdicts; comes into being with the first thing said. */
  said: Said | null
  /** How many rewrites there were before the current group began: what came since is in conflict with what follows. */
  batchStart: number
}

export interface Said {
  stop: StopOrder | null
  suppressOutput: boolean
  forAgent: ForAgent | null
  /** The verdict so far is what the permissions say. */
  isByRules: boolean
  readonly rewrites: Rewrite[]
  readonly context: string[]
  readonly messages: string[]
  readonly warnings: string[]
  readonly evidence: AttributedEvidence[]
  readonly dropped: DroppedAnswer[]
}

/** What counts: by the event (null: one nobody knows, where nothing does) and by the settings. */
type FoldRules = Pick<Plan, 'spec' | 'modifyFrom'>

/** Gives back the verdict that counted. */
export function foldAnswer(tally: Tally, hook: RegisteredHook, result: HookResult, rules: FoldRules): Verdict {
  const verdict = foldVerdict(tally, hook, verdictOf(result, rules), rules)
  if (result.isByRules && tally.verdict === verdict) open(tally).isByRules = true
  if (result.rewrite !== undefined) foldRewrite(tally, hook, result.rewrite, rules)
  if (result.context !== undefined) {
    if (rules.spec?.injects) open(tally).context.push(result.context)
    else drop(tally, hook, 'context', cannot(rules.spec, 'give the model text'))
  }
  if (result.stop !== undefined) {
    if (rules.spec?.stops) open(tally).stop ??= { reason: result.stop.reason, hook: hook.label }
    else drop(tally, hook, 'stop', cannot(rules.spec, 'end the turn'))
  }
  if (result.message !== undefined) open(tally).messages.push(result.message)
  if (result.evidence !== undefined) open(tally).evidence.push(attributeEvidence(hook, result.evidence))
  if (result.suppressOutput) open(tally).suppressOutput = true
  if (result.forAgent !== undefined) foldForAgent(tally, hook, result.forAgent, rules)
  return verdict
}

/** Facts of several hooks stand one below the other. */
function foldForAgent(tally: Tally, hook: RegisteredHook, { classifierContext: facts, retry }: ForAgent, { spec }: FoldRules): void {
  if (facts !== undefined) {
    if (spec?.name !== 'PostToolUse') drop(tally, hook, 'context', cannot(spec, 'tell the classifier something'))
    else {
      const before = open(tally).forAgent?.classifierContext
      open(tally).forAgent = { classifierContext: before === undefined ? facts : `${before}\n${facts}` }
    }
  }
  if (retry === true) {
    if (spec?.name === 'PermissionDenied') open(tally).forAgent = { retry }
    else drop(tally, hook, 'retry', cannot(spec, 'have a call tried again'))
  }
}

/** Before a call, a prompt or a request ending the turn means that it does not happen. */
function verdictOf({ verdict, stop }: HookResult, { spec }: FoldRules): Verdict {
  return stop !== undefined && spec?.stopDenies === true && verdict.decision !== 'deny' ? deny(stop.reason) : verdict
}

/** Something the person should know, whatever came of the hook. */
export function foldMessage(tally: Tally, text: string): void {
  open(tally).messages.push(text)
}

/** A hook failed, and what it watches goes on. */
export function foldWarning(tally: Tally, text: string): void {
  const { messages, warnings } = open(tally)
  messages.push(text)
  warnings.push(text)
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

function foldRewrite(tally: Tally, hook: RegisteredHook, rewrite: NonNullable<HookResult['rewrite']>, rules: FoldRules): void {
  for (const target of ['input', 'prompt', 'output'] as const) {
    if (!Object.hasOwn(rewrite, target) || rewrite[target] === undefined) continue
    const why = refuseRewrite(hook, target, rewrite[target], rules)
    if (why !== null) drop(tally, hook, `rewrite ${target}`, why)
    else applyRewrite(tally, hook, { target, after: rewrite[target], field: rules.spec?.rewrites[target] ?? target })
  }
}

function refuseRewrite(hook: RegisteredHook, target: RewriteTarget, value: unknown, { spec, modifyFrom }: FoldRules): string | null {
  if (spec?.rewrites[target] === undefined) return cannot(spec, `rewrite the ${target}`)
  if (modifyFrom === 'policy' && hook.scope !== 'policy') return 'the settings let only policy hooks rewrite (modifyFrom: policy)'
  if (isModel(hook)) return 'a model can only tighten'
  if (target === 'input' && (typeof value !== 'object' || value === null || Array.isArray(value))) return 'the new input is not an object'
  return target === 'prompt' && typeof value !== 'string' ? 'the new prompt is not text' : null
}

interface NewValue {
  readonly target: RewriteTarget
  readonly after: unknown
  /** Of the event. */
  readonly field: string
}

function applyRewrite(tally: Tally, hook: RegisteredHook, { target, after, field }: NewValue): void {
  const { rewrites } = open(tally)
  const before = tally.event.fields[field]
  const conflict = rewrites.findLast((earlier, at) => at >= tally.batchStart && earlier.target === target)
  tally.event = { ...tally.event, fields: { ...tally.event.fields, [field]: after } }
  rewrites.push(recordRewrite(hook, { target, before, after }, conflict?.hook))
}

/** Most rewrites are never looked at again, so the hashes wait until somebody asks. */
function recordRewrite(
  hook: RegisteredHook,
  { target, before, after }: Pick<Rewrite, 'target' | 'before' | 'after'>,
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

export function attributeEvidence({ definition, label, scope }: RegisteredHook, { kind, data }: Evidence): AttributedEvidence {
  const { place, handler } = definition
  return { kind, data: data ?? {}, hook: label, scope, ...(place === undefined ? {} : { place }), isBuiltin: handler.type === 'builtin' }
}

function isModel(hook: RegisteredHook): boolean {
  const { type } = hook.definition.handler
  return type === 'prompt' || type === 'agent'
}

function drop(tally: Tally, hook: RegisteredHook, what: DroppedAnswer['what'], why: string): void {
  open(tally).dropped.push({ hook: hook.label, what, why })
}

function cannot(spec: EventSpec | null, what: string): string {
  return spec === null ? 'an unknown event decides nothing' : `a ${spec.name} hook cannot ${what}`
}

function open(tally: Tally): Said {
  tally.said ??= {
    stop: null,
    suppressOutput: false,
    forAgent: null,
    isByRules: false,
    rewrites: [],
    context: [],
    messages: [],
    warnings: [],
    evidence: [],
    dropped: [],
  }
  return tally.said
}
