// One recorded call under another policy. What cannot be told is said, never guessed: words that were taken out, values that were trimmed,
// links that lead elsewhere now, another version of the judge.
import type { Entry } from '@belay/core/ledger'
import { toolFields } from '@belay/core/match'
import { JUDGE_VERSION, type Judgement, type Rule, type ToolCall } from '@belay/core/policy'
import { BoundedMap } from '@belay/core/value'

import type { ProjectGuard } from '../../guard/project-guard.ts'
import { TRIMMED } from '../../ledger/restore-body.ts'
import { type Fields, textIn } from '../../statistic/read-fields.ts'
import { callOfBody, MARK, type RecordedCall } from '../recorded-call.ts'
import { type Decision, recordedDecision, recordedPaths } from './recorded-decision.ts'

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

export type ReplayCall = (entry: Entry, body: Fields, guards: ReplayGuards) => Replayed

interface Judged {
  readonly decision: Decision
  readonly judgement: Judgement
}

const JUDGED_KEPT = 20_000
const LONGEST_KEY = 4096

/** Remembers what it judged: agents do the same things again and again. The disk is taken to stand still for as long. */
export function createReplayCall(): ReplayCall {
  const kept = new Map<ProjectGuard, BoundedMap<string, Judged>>()

  function judge(guard: ProjectGuard, { call, event }: RecordedCall): Judged {
    const input = JSON.stringify(call.input)
    const key =
      input.length > LONGEST_KEY
        ? null
        : `${event.actor} ${event.alsoAs?.join(' ') ?? ''} ${event.agent}\n${event.cwd}\n${call.tool}\n${input}`
    const memory = kept.get(guard) ?? new BoundedMap<string, Judged>(JUDGED_KEPT)
    kept.set(guard, memory)
    const known = key === null ? undefined : memory.get(key)
    if (known !== undefined) return known
    const judgement = guard.judge(call, event)
    const made = { decision: judgement.verdict.decision, judgement }
    if (key !== null) memory.set(key, made)
    return made
  }

  return (entry, body, guards) => {
    const recorded = callOfBody(entry, body)
    if (recorded === null) return unreadable(body)
    const lost = lostWords(recorded)
    if (lost !== null) return { kind: 'unjudged', why: lost }
    const before = guards.against === 'recorded' ? recordedDecision(body) : currentDecision(guards.current, recorded, judge)
    if (!before.ok) return { kind: 'unjudged', why: before.why }
    const after = judge(guards.draft, recorded)
    if (after.decision === before.decision) return { kind: 'same', decision: after.decision }
    return attribute({ entry, body, guards, before: before.decision, after, recorded, judge })
  }
}

function unreadable({ tool, input }: Fields): Replayed {
  if (textIn(tool) === null) return { kind: 'other' }
  return { kind: 'unjudged', why: input === TRIMMED ? 'trimmed' : 'unreadable' }
}

type JudgeOnce = (guard: ProjectGuard, recorded: RecordedCall) => Judged

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
  readonly entry: Entry
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
  if (hasMoved(recordedPaths(body), after.judgement)) return changed('files', before)
  const isUnchanged = entry.policy === guards.draft.policyHash
  if (textIn(body.judge) === JUDGE_VERSION) return changed(isUnchanged ? 'files' : 'policy', before)
  // Another version recorded it. Where its policy is the one in force, today's judge tells how much of the difference is the text's.
  if (isUnchanged || guards.current === null || guards.current.policyHash !== entry.policy) return changed('judge', before)
  const now = judge(guards.current, recorded).decision
  return now === after.decision ? changed('judge', before) : changed('policy', now)
}

function describe({ after, recorded }: Difference, by: Changed['by'], before: Decision): Changed {
  const { verdict, rule, decidedBy } = after.judgement
  const said = verdict.decision === 'none' ? null : verdict.reason
  const reason = decidedBy?.reason ?? said ?? 'no rule speaks of it'
  return { kind: 'changed', by, before, after: after.decision, rule, reason, call: recorded.call }
}

/** A path that was judged then leads to another file now. */
function hasMoved(before: ReadonlyMap<string, string>, { parts }: Judgement): boolean {
  return parts.some(({ path }) => {
    const known = path === undefined ? undefined : before.get(path.lexical)
    return path !== undefined && known !== undefined && known !== (path.real ?? '')
  })
}
