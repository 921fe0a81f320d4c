// What the ledger keeps of one event: who wanted what, every hook that was considered, what was decided and why, what the agent was told.
import type { GuardedCall, HookEvent, HookRun } from '@belay/core'
import type { DecodedEvent, Encoded } from '@belay/core/adapter'
import type { EntryDraft } from '@belay/core/ledger'
import type { PartJudgement, Rule } from '@belay/core/policy'

export interface DecisionFacts {
  readonly event: HookEvent
  readonly decoded: DecodedEvent
  readonly guarded: GuardedCall
  readonly answer: Encoded
  readonly policyHash: string | null
  readonly root: string
  readonly agentId: string
  readonly attended: boolean
  readonly tookMs: number
  /** Where that time went; absent: it was not measured. */
  readonly times?: DecisionTimes
  /** Nothing was judged: a person had switched deciding off. */
  readonly isPaused?: boolean
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

export function decisionRecord(facts: DecisionFacts): EntryDraft {
  const { event, decoded, guarded, answer, times } = facts
  const { verdict, fired, judgement } = guarded
  const { toolName, toolInput, toolUseId, ...fields } = event.fields
  const body = {
    event: event.name,
    nativeEvent: decoded.nativeEvent === event.name ? undefined : decoded.nativeEvent,
    agent: event.agent,
    agentId: facts.agentId,
    cwd: event.cwd,
    root: facts.root,
    commitment: event.commitment,
    tool: toolName,
    toolUseId,
    rawTool: decoded.rawTool !== null && decoded.rawTool.name !== toolName ? decoded.rawTool.name : undefined,
    input: toolInput,
    fields: Object.keys(fields).length === 0 ? undefined : fields,
    verdict: verdict.decision,
    reason: verdict.decision === 'none' ? undefined : verdict.reason,
    askedBy: verdict.decision === 'ask' ? verdict.origin : undefined,
    rule: judgement?.rule === null || judgement === null ? undefined : ruleRecord(judgement.rule),
    decidedBy: judgement?.decidedBy === null || judgement === null ? undefined : partRecord(judgement.decidedBy),
    parts: judgement === null || judgement.parts.length === 0 ? undefined : judgement.parts.map(partRecord),
    parser: judgement?.parser ?? undefined,
    hooks: fired.report.runs.map(run => runRecord(run, times?.begunAt)),
    skipped: fired.report.skipped.length === 0 ? undefined : fired.report.skipped,
    dropped: fired.report.dropped.length === 0 ? undefined : fired.report.dropped,
    rewrites:
      fired.rewrites.length === 0
        ? undefined
        : fired.rewrites.map(({ hook, target, beforeHash, afterHash, after, conflictsWith }) => ({
            hook,
            target,
            beforeHash,
            afterHash,
            after,
            conflictsWith,
          })),
    context: fired.context.length === 0 ? undefined : fired.context,
    evidence: fired.evidence.length === 0 ? undefined : fired.evidence,
    answer: { stdout: answer.stdout, stderr: answer.stderr, exit: answer.exitCode },
    degraded: answer.degraded.length === 0 ? undefined : answer.degraded,
    attended: facts.attended,
    paused: facts.isPaused === true ? true : undefined,
    tookMs: round(facts.tookMs),
    timing: times === undefined ? undefined : timingRecord(times, guarded),
  }
  return { actor: event.actor, session: event.sessionId, kind: kindOf(event.name), policy: facts.policyHash, body: withoutUndefined(body) }
}

/** `PreToolUse` -> `pre_tool_use`. */
export function kindOf(event: string): string {
  return event.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase()
}

function ruleRecord({ id, effect, text, place }: Rule) {
  return { id, effect, text, ...(place === undefined ? {} : { place: `${place.file}:${place.line}` }) }
}

function partRecord(part: PartJudgement) {
  const { what, source, normal, span, decision, match, rule, reason, path } = part
  return withoutUndefined({ what, source, normal, span, decision, match, rule: rule?.id, reason, path })
}

/** Where the time went; what came before `tookMs` began is `decodeMs`, and rules follow the last hook. */
function timingRecord(times: DecisionTimes, { fired, judgement }: GuardedCall) {
  const { begunAt, startedAt, guardAt, guardedAt, approvalMs, encodeAt, endedAt } = times
  const hooksEnd = fired.report.runs.reduce((last, run) => Math.max(last, momentOf(run) + run.durationMs), guardAt)
  return withoutUndefined({
    decodeMs: round(startedAt - begunAt),
    hooksMs: round(hooksEnd - startedAt),
    permissionsMs: judgement === null ? undefined : round(Math.max(0, guardedAt - hooksEnd)),
    approvalMs: approvalMs === null ? undefined : round(approvalMs),
    encodeMs: round(endedAt - encodeAt),
  })
}

function momentOf({ startedMs }: HookRun): number {
  return startedMs - performance.timeOrigin
}

function runRecord(run: HookRun, begunAt: number | undefined) {
  const { hook, scope, handler, outcome, verdict, durationMs, error, code, place, overBudget, detail } = run
  return withoutUndefined({
    hook,
    scope,
    handler,
    outcome,
    verdict: verdict.decision,
    reason: verdict.decision === 'none' ? undefined : verdict.reason,
    at: begunAt === undefined ? undefined : round(momentOf(run) - begunAt),
    ms: round(durationMs),
    error,
    code,
    place: place === undefined ? undefined : `${place.file}:${place.line}`,
    overBudget,
    exitCode: detail?.exitCode,
    status: detail?.status,
    usage: detail?.usage,
  })
}

function round(ms: number): number {
  return Math.round(ms * 1000) / 1000
}

/** On the path of every call: a plain loop takes a fifth of the time of building a list of entries. */
function withoutUndefined(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept: Record<string, unknown> = {}
  for (const name of Object.keys(value)) if (value[name] !== undefined) kept[name] = value[name]
  return kept
}
