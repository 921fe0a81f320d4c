// One event through its steps, each of which may have to wait for somebody: the state around it, hooks and rules, a person, evidence, state
// after it, the record. A step that waits for nobody costs no promise, so that most events are answered within the turn they came in.
import { endOf, type FireOptions, type GuardedCall, gateOf, type HookEvent, none } from '@belay/core'
import type { DecodedEvent } from '@belay/core/adapter'
import type { AskAnswer } from '../approval/approval-queue.ts'
import { guardEvent } from '../guard/guard-event.ts'
import type { ProjectGuard } from '../guard/project-guard.ts'
import { type WorkCall, workAround } from '../state/work-view.ts'
import type { DecideOptions } from './decide.ts'
import type { ProjectEntry } from './guard-cache.ts'
import type { HookAnswer, HookCall } from './hook-call.ts'
import type { LateRun } from './late-runs.ts'
import type { RecordQueue } from './record-queue.ts'
import { settleAnswer } from './settle-answer.ts'

export interface JudgeRequest {
  readonly options: DecideOptions
  readonly records: RecordQueue
  /** When the call came in. */
  readonly begunAt: number
  readonly project: ProjectEntry
  readonly decoded: DecodedEvent
  readonly call: HookCall
  readonly event: HookEvent
  readonly work: WorkCall
  /** Names of the call that are no agent's: said in its record. */
  readonly refused: readonly string[]
  /** The guards of other projects that the agent has entered since: they can only add rules. */
  readonly enteredGuards: readonly ProjectGuard[]
}

/** What the steps have found so far. */
export interface Judging extends JudgeRequest {
  readonly startedAt: number
  readonly isPaused: boolean
  /** When hooks and rules were asked, and when they had answered. */
  guardAt: number
  guardedAt: number
  /** How long a person was waited for; null: nobody was asked. */
  approvalMs: number | null
  /** What came of an ask; null: nobody was asked. */
  asked: AskAnswer | null
  metadata: FireOptions['metadata']
  guarded: GuardedCall
  owesEvidence: boolean
  /** Texts for the model, from the work. */
  added: readonly string[]
}

type Step = (judging: Judging) => void | Promise<void>

const DEADLINE_MARGIN_MS = 50
const NOTHING: readonly string[] = []

export function judgeEvent(request: JudgeRequest): HookAnswer | Promise<HookAnswer> {
  const { options, records, begunAt, project, decoded, call, event, work, refused, enteredGuards } = request
  const startedAt = options.now()
  // Field by field: on this path copying an object costs as much as judging a rule.
  const judging: Judging = {
    options,
    records,
    begunAt,
    project,
    decoded,
    call,
    event,
    work,
    refused,
    enteredGuards,
    startedAt,
    guardAt: startedAt,
    guardedAt: startedAt,
    approvalMs: null,
    asked: null,
    isPaused: options.isPaused(),
    metadata: undefined,
    guarded: undecided(event),
    owesEvidence: false,
    added: NOTHING,
  }
  return takeSteps(judging, 0)
}

function takeSteps(judging: Judging, from: number): HookAnswer | Promise<HookAnswer> {
  for (let at = from; at < STEPS.length; at++) {
    const waiting = (STEPS[at] as Step)(judging)
    if (waiting instanceof Promise) return waiting.then(() => takeSteps(judging, at + 1))
  }
  return settleAnswer(judging)
}

const STEPS: readonly Step[] = [findWork, guard, keepEvidence, answerAsk, expectEvidence, changeWork, checkOver]

function findWork(judging: Judging): void | Promise<void> {
  const found = judging.options.work.before(judging.work)
  if (found instanceof Promise)
    return found.then(metadata => {
      judging.metadata = metadata
    })
  judging.metadata = found
}

function guard(judging: Judging): void | Promise<void> {
  if (judging.isPaused) return
  judging.guardAt = judging.options.now()
  const guards = { guard: judging.project.guard, enteredGuards: judging.enteredGuards }
  const guarded = guardEvent(guards, judging.event, fireOptions(judging))
  if (guarded instanceof Promise) return guarded.then(made => keepGuarded(judging, made))
  keepGuarded(judging, guarded)
}

function keepGuarded(judging: Judging, guarded: GuardedCall): void {
  judging.guarded = guarded
  judging.guardedAt = judging.options.now()
  const { event, background, warnings = NOTHING } = guarded.fired
  for (const text of warnings) judging.options.onWarning(text)
  const { guard, loaded } = judging.project
  if (guard.compared !== null) judging.options.compare(guard, guarded, loaded.team?.version ?? 0)
  for (const end of background) void end.then(run => keepLate(judging.options, { event, run }))
}

/** What a hook hands over after the answer is evidence all the same. */
function keepLate({ onLateRun, accounts }: DecideOptions, late: LateRun): void {
  onLateRun(late)
  if (late.run.evidence !== undefined) void accounts.keepEvidence({ event: late.event, evidence: [late.run.evidence] })
}

function fireOptions({ metadata, call }: Judging): FireOptions {
  const options: { -readonly [K in keyof FireOptions]: FireOptions[K] } = {}
  if (metadata !== undefined) options.metadata = metadata
  const during = workAround(metadata)
  if (during !== null) options.during = during
  if (call.deadlineMs !== null) options.deadlineMs = call.deadlineMs - DEADLINE_MARGIN_MS
  return options
}

function keepEvidence({ options, guarded }: Judging): void | Promise<void> {
  return options.accounts.keepEvidence(guarded.fired) ?? undefined
}

function answerAsk(judging: Judging): void | Promise<void> {
  const { options, project, decoded, call, guarded, work, startedAt, guardedAt } = judging
  if (guarded.verdict.decision !== 'ask' || gateOf(decoded.event) !== 'tool') return
  const spentMs = options.now() - startedAt + DEADLINE_MARGIN_MS
  const asked = {
    guarded,
    agent: decoded.agent,
    agentId: work.agentId,
    root: project.loaded.root,
    policyHash: project.guard.policyHash,
    attended: call.attended,
    deadlineMs: call.deadlineMs === null ? null : call.deadlineMs - spentMs,
  }
  return options.accounts.answerAsk(asked).then(answer => {
    judging.guarded = { ...guarded, verdict: answer.verdict }
    judging.asked = answer
    judging.approvalMs = options.now() - guardedAt
  })
}

function expectEvidence(judging: Judging): void | Promise<void> {
  const { options, project, event, guarded } = judging
  if (event.name !== 'PreToolUse') return
  options.accounts.noteJudged(guarded)
  if (guarded.verdict.decision === 'deny') return
  const owed = options.accounts.expectEvidence(guarded.fired.event, project.guard)
  if (owed instanceof Promise)
    return owed.then(isOwed => {
      judging.owesEvidence = isOwed
    })
  judging.owesEvidence = owed
}

function changeWork(judging: Judging): void | Promise<void> {
  const added = judging.options.work.after(judging.metadata, judging.guarded)
  if (added instanceof Promise)
    return added.then(texts => {
      judging.added = texts
    })
  judging.added = added
}

function checkOver(judging: Judging): void | Promise<void> {
  const { options, project, event } = judging
  if (endOf(event.name) !== 'tool') return
  const texts = options.accounts.checkOver(event, project.guard)
  if (texts instanceof Promise)
    return texts.then(told => {
      judging.added = [...judging.added, ...told]
    })
}

const NONE: readonly never[] = []
const NO_REPORT = { runs: NONE, skipped: NONE, dropped: NONE }

/** No hook ran and no rule was looked at: not yet, or because deciding is switched off. */
export function undecided(event: HookEvent): GuardedCall {
  const fired = {
    verdict: none(),
    event,
    rewrites: NONE,
    context: NONE,
    messages: NONE,
    evidence: NONE,
    stop: null,
    suppressOutput: false,
    report: NO_REPORT,
    background: NONE,
  }
  return { verdict: fired.verdict, fired, judgement: null }
}
