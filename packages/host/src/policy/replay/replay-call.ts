// One recorded call under another policy. What cannot be told is said, never guessed: words that were taken out, values that were trimmed,
// links that lead elsewhere now, another version of the judge.
import type { Entry } from '@belay/core/ledger'
import { toolFields } from '@belay/core/match'
import { JUDGE_VERSION, type Rule, type ToolCall } from '@belay/core/policy'

import type { ProjectGuard } from '../../guard/project-guard.ts'
import { TRIMMED } from '../../ledger/restore-body.ts'
import { type Fields, textIn } from '../../statistic/read-fields.ts'
import { callOfBody, MARK, type RecordedCall } from '../recorded-call.ts'
import { type Decision, recordedDecision, recordedPaths } from './recorded-decision.ts'
import { createRememberingJudge, type Decided, type Judged, type RememberingJudge } from './remembering-judge.ts'

export type Unjudged = 'redacted' | 'trimmed' | 'paused' | 'hook' | 'unreadable'

export type Replayed =
  /** Not a call that rules judge. */
  | { readonly kind: 'other' }
  | { readonly kind: 'unjudged'; readonly why: Unjudged }
  | { readonly kind: 'same'; readonly decision: Decision }
  | Changed

export interface Changed {
  readonly kind: 'changed'
  /** policy: the text makes the difference. judge: another version of the judge recorded it. files: a link or a file is not what it was. */
  readonly by: 'policy' | 'judge' | 'files'
  readonly before: Decision
  readonly after: Decision
  readonly rule: Rule | null
  readonly reason: string
  readonly call: ToolCall
}

export interface ReplayGuards {
  /** The policy that is tried. */
  readonly draft: ProjectGuard
  /** The policy in force; null: nobody knows it any more. */
  readonly current: ProjectGuard | null
  /** recorded: with what was decided then. current: with what the policy in force says, so that only the text can differ. */
  readonly against: 'recorded' | 'current'
}

/** What of an entry says how its call was judged. */
export type ReplayedEntry = Pick<Entry, 'actor' | 'session' | 'policy'>

export type ReplayCall = (entry: ReplayedEntry, body: Fields, guards: ReplayGuards) => Replayed

/** Remembers what it judged: agents do the same things again and again. The disk is taken to stand still for as long. */
export function createReplayCall(): ReplayCall {
  const kept = new Map<ProjectGuard, RememberingJudge>()
  const judge: JudgeOnce = (guard, recorded) => {
    const known = kept.get(guard) ?? createRememberingJudge(guard)
    kept.set(guard, known)
    return known(recorded)
  }
  return (entry, body, guards) => {
    const recorded = callOfBody(entry, body)
    if (recorded === null) return unreadable(body)
    const lost = lostWords(recorded)
    if (lost !== null) return { kind: 'unjudged', why: lost }
    const before = guards.against === 'recorded' ? recordedDecision(body) : currentDecision(guards.current, recorded, judge)
    if (!before.ok) return { kind: 'unjudged', why: before.why }
    const { decision, explain } = judge(guards.draft, recorded)
    if (decision === before.decision) return { kind: 'same', decision }
    return attribute({ entry, body, guards, before: before.decision, after: explain(), recorded, judge })
  }
}

function unreadable({ tool, input }: Fields): Replayed {
  if (textIn(tool) === null) return { kind: 'other' }
  return { kind: 'unjudged', why: input === TRIMMED ? 'trimmed' : 'unreadable' }
}

type JudgeOnce = (guard: ProjectGuard, recorded: RecordedCall) => Decided

function currentDecision(current: ProjectGuard | null, recorded: RecordedCall, judge: JudgeOnce): ReturnType<typeof recordedDecision> {
  return { ok: true, decision: current === null ? 'none' : judge(current, recorded).decision }
}

/** Only where a word that is judged is gone: the content of a file is not. */
function lostWords({ call, isRedacted }: RecordedCall): 'redacted' | 'trimmed' | null {
  const isTrimmed = Object.values(call.input).includes(TRIMMED)
  if (!isRedacted && !isTrimmed) return null
  const { fields } = toolFields(call.tool, call.input)
  const texts = fields.length === 0 ? [JSON.stringify(call.input)] : fields.map(({ text }) => text)
  if (texts.some(text => MARK.test(text))) return 'redacted'
  return texts.includes(TRIMMED) ? 'trimmed' : null
}

interface Difference {
  readonly entry: ReplayedEntry
  readonly body: Fields
  readonly guards: ReplayGuards
  readonly before: Decision
  readonly after: Judged
  readonly recorded: RecordedCall
  readonly judge: JudgeOnce
}

function attribute(difference: Difference): Replayed {
  const { entry, body, guards, before, after, recorded, judge } = difference
  const changed = (by: Changed['by'], from: Decision): Replayed =>
    from === after.decision && by === 'policy' ? { kind: 'same', decision: from } : describe(difference, by, from)
  if (guards.against === 'current') return changed('policy', before)
  if (hasMoved(recordedPaths(body), after)) return changed('files', before)
  const isUnchanged = entry.policy === guards.draft.policyHash
  if (textIn(body.judge) === JUDGE_VERSION) return changed(isUnchanged ? 'files' : 'policy', before)
  // Another version recorded it. Where its policy is the one in force, today's judge tells how much of the difference is the text's.
  if (isUnchanged || guards.current === null || guards.current.policyHash !== entry.policy) return changed('judge', before)
  const now = judge(guards.current, recorded).decision
  return now === after.decision ? changed('judge', before) : changed('policy', now)
}

function describe({ after, recorded }: Difference, by: Changed['by'], before: Decision): Changed {
  const { decision, rule, reason } = after
  return { kind: 'changed', by, before, after: decision, rule, reason, call: recorded.call }
}

/** A path that was judged then leads to another file now. */
function hasMoved(before: ReadonlyMap<string, string>, { paths }: Judged): boolean {
  return paths.some(([lexical, real]) => (before.get(lexical) ?? real) !== real)
}
