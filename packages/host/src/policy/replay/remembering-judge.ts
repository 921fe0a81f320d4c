// A judge that remembers decisions about recorded calls: agents do the same things again and again. Of most calls nothing but the decision is
// asked for, so that is what is kept of many; why it is so is kept of few, and found out again where it is gone.
import type { Judgement, Rule } from '@belay/core/policy'
import type { ProjectGuard } from '../../guard/project-guard.ts'
import type { RecordedCall } from '../recorded-call.ts'
import { callKey, watchCall } from './call-key.ts'
import { createMemory } from './memory.ts'
import type { Decision } from './recorded-decision.ts'

/** What is kept of a judgement: a whole one holds every part of its command, and thousands of them would fill the memory. */
export interface Judged {
  readonly decision: Decision
  readonly rule: Rule | null
  readonly reason: string
  /** Paths that had a say: as written, and the file that each leads to. */
  readonly paths: readonly (readonly [lexical: string, real: string])[]
}

export interface Decided {
  readonly decision: Decision
  explain(): Judged
}

export type RememberingJudge = (recorded: RecordedCall) => Decided

const DECISIONS_KEPT = 32_768
const JUDGED_KEPT = 1024
/** The decision depends on values that the short key leaves out. */
const NEEDS_ALL = 'needs all'

export function createRememberingJudge(guard: ProjectGuard): RememberingJudge {
  const decisions = createMemory<Decision | typeof NEEDS_ALL>(DECISIONS_KEPT)
  const explained = createMemory<Judged>(JUDGED_KEPT)
  const kindOf = rememberKinds(guard)
  const rulesFor = ({ event: { actor, alsoAs } }: RecordedCall): string =>
    alsoAs === undefined ? kindOf(actor) : [actor, ...alsoAs].map(kindOf).join(',')

  function decide(recorded: RecordedCall, key: string | null, isWhole: boolean): Decided | typeof NEEDS_ALL {
    const known = key === null ? undefined : decisions.get(key)
    if (known === NEEDS_ALL) return NEEDS_ALL
    if (known !== undefined) return { decision: known, explain: () => explain(recorded) }
    const watched = watchCall(recorded)
    const judgement = guard.judge(watched.call, watched.event)
    const { decision } = judgement.verdict
    if (key !== null) decisions.set(key, watched.wasRead && !isWhole ? NEEDS_ALL : decision)
    return { decision, explain: () => summarize(judgement) }
  }

  /** A call that comes again and again comes out differently each time, by the same rule. */
  function explain(recorded: RecordedCall): Judged {
    const key = callKey(recorded, recorded.event.actor, true)
    const known = key === null ? undefined : explained.get(key)
    if (known !== undefined) return known
    const made = summarize(guard.judge(recorded.call, recorded.event))
    if (key !== null) explained.set(key, made)
    return made
  }

  return recorded => {
    const rules = rulesFor(recorded)
    const short = decide(recorded, callKey(recorded, rules, false), false)
    if (short !== NEEDS_ALL) return short
    const whole = decide(recorded, callKey(recorded, rules, true), true)
    if (whole === NEEDS_ALL) throw new Error('a decision about a whole call needs nothing else')
    return whole
  }
}

/** Most calls in a row are of one actor. */
function rememberKinds(guard: ProjectGuard): (actor: string) => string {
  const kinds = createMemory<string>(JUDGED_KEPT)
  let last: { readonly actor: string; readonly kind: string } | null = null
  return actor => {
    if (last?.actor === actor) return last.kind
    const kind = kinds.get(actor) ?? guard.kindOf(actor)
    kinds.set(actor, kind)
    last = { actor, kind }
    return kind
  }
}

function summarize({ verdict, rule, decidedBy, parts }: Judgement): Judged {
  const said = verdict.decision === 'none' ? null : verdict.reason
  const paths = parts.flatMap(({ path }) => (path === undefined ? [] : [[path.lexical, path.real ?? ''] as const]))
  return { decision: verdict.decision, rule, reason: decidedBy?.reason ?? said ?? 'no rule speaks of it', paths }
}
