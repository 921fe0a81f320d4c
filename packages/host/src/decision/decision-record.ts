// What the ledger keeps of one event: who wanted what, every hook that was considered, what was decided and why, what the agent was told.
import { fold, type GuardedCall, type HookEvent, type HookRun } from '@belay/core'
import type { DecodedEvent, Encoded } from '@belay/core/adapter'
import type { EntryDraft } from '@belay/core/ledger'
import { JUDGE_VERSION, type Judgement, type PartJudgement, type Rule } from '@belay/core/policy'
import type { AskAnswer } from '../approval/approval-queue.ts'
import { describeChange, type PolicyChange } from '../config/policy-change.ts'

export interface DecisionFacts {
  readonly event: HookEvent
  readonly decoded: DecodedEvent
  readonly guarded: GuardedCall
  readonly answer: Encoded
  readonly policyHash: string | null
  readonly root: string
  readonly agentId: string
  /** Names of the call that are no agent's. */
  readonly refused?: readonly string[]
  readonly attended: boolean
  readonly tookMs: number
  /** Where that time went; absent: it was not measured. */
  readonly times?: DecisionTimes
  /** Policy files that were not what a person had accepted. */
  readonly changes: readonly PolicyChange[]
  /** Nothing was judged: a person had switched deciding off. */
  readonly isPaused?: boolean
  /** What came of an ask. */
  readonly asked?: Pick<AskAnswer, 'request' | 'isUnanswered'> | null
}

/** Moments by performance.now(). */
export interface DecisionTimes {
  readonly begunAt: number
  /** Read, and its project and actor known. */
  readonly startedAt: number
  /** Hooks and rules were asked, and had answered. */
  readonly guardAt: number
  readonly guardedAt: number
  readonly approvalMs: number | null
  readonly encodeAt: number
  readonly endedAt: number
}

export interface DecisionDraft extends EntryDraft {
  readonly body: DecisionBody
}

/** What is undefined is not written. */
export type DecisionBody = ReturnType<typeof decisionBody>
export type PartRecord = ReturnType<typeof partRecord>

export function decisionRecord(facts: DecisionFacts): DecisionDraft {
  const { event, policyHash } = facts
  return { actor: event.actor, session: event.sessionId, kind: kindOf(event.name), policy: policyHash, body: decisionBody(facts) }
}

/** Keys stand in order, here and in what is made below: then they need not be sorted to be written. decision-text.ts writes each of them. */
function decisionBody(facts: DecisionFacts) {
  const { event, decoded, guarded, answer, times } = facts
  const { verdict, fired, judgement } = guarded
  const { toolName, toolInput, toolUseId } = event.fields
  // An ask that nobody answered stays one, though the agent was told no: it may try again once it is allowed.
  const decision = facts.asked?.isUnanswered === true ? 'ask' : verdict.decision
  const reason = verdict.decision === 'none' ? undefined : verdict.reason
  const parts = judgement?.parts.map(part => partRecord(part, reason)) ?? NO_PARTS
  return {
    agent: event.agent,
    agentId: facts.agentId,
    alsoAs: event.alsoAs,
    answer: { exit: answer.exitCode, stderr: answer.stderr, stdout: answer.stdout },
    askedBy: verdict.decision === 'ask' ? verdict.origin : undefined,
    attended: facts.attended,
    changed: unlessEmpty(facts.changes)?.map(describeChange),
    commitment: event.commitment,
    context: unlessEmpty(fired.context),
    cwd: event.cwd,
    decidedBy: judgement === null ? undefined : decidingRecord(judgement, reason),
    degraded: unlessEmpty(answer.degraded),
    dropped: unlessEmpty(fired.report.dropped),
    event: event.name,
    evidence: unlessEmpty(fired.evidence),
    fields: otherFields(event.fields),
    hooks: fired.report.runs.map(run => runRecord(run, times?.begunAt)),
    input: toolInput,
    judge: judgement === null ? undefined : JUDGE_VERSION,
    line: decoded.line?.id,
    nativeEvent: decoded.nativeEvent === event.name ? undefined : decoded.nativeEvent,
    parser: judgement?.parser ?? undefined,
    parts: unlessEmpty(parts),
    paused: facts.isPaused === true ? true : undefined,
    rawTool: decoded.rawTool !== null && decoded.rawTool.name !== toolName ? decoded.rawTool.name : undefined,
    reason,
    refusedNames: unlessEmpty(facts.refused ?? NO_NAMES),
    request: facts.asked?.request ?? undefined,
    rewrites: unlessEmpty(fired.rewrites)?.map(rewriteRecord),
    root: facts.root,
    rule: decidingRule(guarded),
    skipped: unlessEmpty(fired.report.skipped),
    stop: fired.stop === null ? undefined : { hook: fired.stop.hook, reason: fired.stop.reason },
    timing: times === undefined ? undefined : timingRecord(times, guarded),
    tookMs: round(facts.tookMs),
    tool: toolName,
    toolUseId,
    unknownHost: decoded.isUnknownHost,
    verdict: decision,
  }
}

/** A rule that was asked but had nothing to say beside a hook did not decide. */
function decidingRule({ judgement, fired }: GuardedCall): ReturnType<typeof ruleRecord> | undefined {
  if (judgement === null || judgement.rule === null) return undefined
  return fold([judgement.verdict, fired.verdict]) === judgement.verdict ? ruleRecord(judgement.rule) : undefined
}

function unlessEmpty<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list
}

const CALL_FIELDS = new Set(['toolName', 'toolInput', 'toolUseId'])

/** What the event has beside its call; undefined: nothing, which is nearly always. */
function otherFields(fields: HookEvent['fields']): Readonly<Record<string, unknown>> | undefined {
  if (Object.keys(fields).every(name => CALL_FIELDS.has(name))) return undefined
  const { toolName: _name, toolInput: _input, toolUseId: _id, ...others } = fields
  return others
}

const kinds = new Map<string, string>()

const KINDS_KEPT = 256

/** `PreToolUse` -> `pre_tool_use`. Agents send a few, but they may send any. */
function kindOf(event: string): string {
  const known = kinds.get(event)
  if (known !== undefined) return known
  const kind = event.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase()
  if (kinds.size < KINDS_KEPT) kinds.set(event, kind)
  return kind
}

function ruleRecord({ id, effect, text, place }: Rule) {
  return { effect, id, place: place === undefined ? undefined : `${place.file}:${place.line}`, text }
}

const NO_NAMES: readonly string[] = []
const NO_PARTS: readonly PartRecord[] = []

/** Nearly always one of its parts: then the place of that part among them. */
function decidingRecord({ decidedBy, parts }: Judgement, reason: string | undefined): PartRecord | number | undefined {
  if (decidedBy === null) return undefined
  const at = parts.indexOf(decidedBy)
  return at === -1 ? partRecord(decidedBy, reason) : at
}

/** What says the same twice is written once: page/record-part.ts reads it back. */
function partRecord({ what, source, normal, span, decision, match, rule, reason, path }: PartJudgement, ofAll: string | undefined) {
  return {
    decision,
    match,
    normal: normal === source ? undefined : normal,
    path: path === undefined ? undefined : { lexical: path.lexical, real: path.real === path.lexical ? undefined : path.real },
    reason: reason === ofAll ? undefined : reason,
    rule: rule?.id,
    source,
    span: span === null ? null : { end: span.end, start: span.start },
    what,
  }
}

function rewriteRecord({ hook, target, beforeHash, afterHash, after, conflictsWith }: GuardedCall['fired']['rewrites'][number]) {
  return { after, afterHash, beforeHash, conflictsWith, hook, target }
}

/** Where the time went; what came before `tookMs` began is `decodeMs`, and rules follow the last hook. */
function timingRecord(times: DecisionTimes, { fired, judgement }: GuardedCall) {
  const { begunAt, startedAt, guardAt, guardedAt, approvalMs, encodeAt, endedAt } = times
  const hooksEnd = fired.report.runs.reduce((last, run) => Math.max(last, momentOf(run) + run.durationMs), guardAt)
  return {
    approvalMs: approvalMs === null ? undefined : round(approvalMs),
    decodeMs: round(startedAt - begunAt),
    encodeMs: round(endedAt - encodeAt),
    hooksMs: round(hooksEnd - startedAt),
    permissionsMs: judgement === null ? undefined : round(Math.max(0, guardedAt - hooksEnd)),
  }
}

function momentOf({ startedMs }: HookRun): number {
  return startedMs - performance.timeOrigin
}

/** A hook that went on in the background has only started: how it ended is recorded when it has. */
export function runRecord(run: HookRun, begunAt: number | undefined) {
  const { hook, scope, handler, outcome, verdict, durationMs, error, code, place, overBudget, detail, detached } = run
  return {
    at: begunAt === undefined ? undefined : round(momentOf(run) - begunAt),
    code,
    error,
    exitCode: detail?.exitCode,
    handler,
    hook,
    ms: detached ? undefined : round(durationMs),
    outcome: detached ? 'started' : outcome,
    overBudget,
    place: place === undefined ? undefined : `${place.file}:${place.line}`,
    reason: verdict.decision === 'none' ? undefined : verdict.reason,
    scope,
    status: detail?.status,
    usage: detail?.usage,
    verdict: verdict.decision,
  }
}

function round(ms: number): number {
  return Math.round(ms * 1000) / 1000
}
