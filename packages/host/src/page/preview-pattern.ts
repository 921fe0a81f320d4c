// page.preview: what a new allow rule would have let through of what was asked or refused lately. An index finds those calls; they are judged
// by the policy of today with the rule added, on the redacted record.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Entry } from '@belay/core/ledger'
import { matchesActor, parseGenesis, parseRule } from '@belay/core/policy'
import { addRuleText, EMPTY_POLICY } from '../config/genesis-edit.ts'
import { readPolicyText } from '../config/genesis-text.ts'
import type { ProjectGuard } from '../guard/project-guard.ts'
import type { PatternPreview } from '../wire/page/policy.ts'
import type { RecordRow } from '../wire/page/record.ts'
import { draftPolicy, policyFileOf } from './draft-policy.ts'
import type { PageParts } from './page-parts.ts'
import { recordRow } from './record-row.ts'
import { callOfEntry, type RecordedCall } from './recorded-call.ts'
import { DAY_MS } from './rule-tally.ts'
import { readLastSeq, scanBack } from './scan-entries.ts'

export interface PreviewOptions {
  readonly pattern: string
  /** Whom the rule would be for; null: whoever made each call. */
  readonly actor: string | null
  /** null: in all projects. */
  readonly root: string | null
  readonly days: number
}

const LOOKED_MOST = 1000
const JUDGED_AT_ONCE = 20
const MOST_SAMPLES = 20

export async function previewPattern(parts: PageParts, options: PreviewOptions): Promise<PatternPreview> {
  const { pattern, actor, days } = options
  const empty: PatternPreview = { judged: 0, days, problem: null, matches: 0, stillDenied: 0, samples: [] }
  const parsed = parseRule(pattern, { effect: 'allow', dialect: 'genesis' })
  if (!parsed.ok) return { ...empty, problem: parsed.problem.message }
  const guardsFor = createTrialGuards(parts, pattern)
  const samples: RecordRow[] = []
  let [judged, matches, stillDenied] = [0, 0, 0]
  for await (const { entry, recorded } of listRefused(parts, options)) {
    judged++
    if (judged % JUDGED_AT_ONCE === 0) await nextTurn()
    const trial = guardsFor(recorded, actor ?? entry.actor)
    if (trial === null || !speaksOf(trial.alone, recorded, pattern)) continue
    matches++
    if (trial.added.judge(recorded.call, recorded.event).verdict.decision !== 'allow') stillDenied++
    else if (samples.length < MOST_SAMPLES) samples.push(recordRow(entry))
  }
  return { ...empty, judged, matches, stillDenied, samples }
}

async function* listRefused({ ledger: { store }, now }: PageParts, { actor, root, days }: PreviewOptions) {
  const since = new Date(now() - days * DAY_MS).toISOString()
  const filter = { kind: 'pre_tool_use', since, ...(root === null ? {} : { project: root }) }
  for (const verdict of ['ask', 'deny']) {
    let looked = 0
    for await (const step of scanBack(store, { ...filter, verdict }, (await readLastSeq(store)) + 1)) {
      for (const entry of step.entries) {
        const recorded = isOf(entry, actor) ? callOfEntry(entry) : null
        if (recorded !== null) yield { entry, recorded }
      }
      looked += step.looked
      if (looked >= LOOKED_MOST) break
    }
  }
}

function isOf(entry: Entry, actor: string | null): boolean {
  return actor === null || matchesActor(actor, entry.actor)
}

interface Trial {
  /** The policy of today with the rule. */
  readonly added: ProjectGuard
  /** Nothing but the rule: tells what it speaks of. */
  readonly alone: ProjectGuard
}

function createTrialGuards(parts: PageParts, pattern: string): (recorded: RecordedCall, actor: string) => Trial | null {
  const made = new Map<string, Trial | null>()
  return ({ root }, actor) => {
    const key = `${root}\n${actor}`
    if (!made.has(key)) made.set(key, makeTrial(parts, { root, actor, pattern }))
    return made.get(key) ?? null
  }
}

function makeTrial(parts: PageParts, { root, actor, pattern }: { root: string; actor: string; pattern: string }): Trial | null {
  const file = policyFileOf(root)
  const read = readPolicyText(file)
  const rule = { effect: 'allow', pattern, actor } as const
  const text = read.kind === 'text' ? read.text : EMPTY_POLICY
  const edited = addRuleText(text, rule)
  const only = addRuleText(EMPTY_POLICY, rule)
  const parsed = only.kind === 'added' ? parseGenesis(only.text, file) : null
  if (edited.kind === 'refused' || parsed?.ok !== true) return null
  const { loaded } = parts.guards.get(root)
  return {
    added: draftPolicy(parts, root, edited.kind === 'added' ? edited.text : text).guard,
    alone: parts.guards.build({ ...loaded, files: [], policies: [parsed.policy], locked: null }),
  }
}

function speaksOf(alone: ProjectGuard, { call, event }: RecordedCall, pattern: string): boolean {
  return alone.judge(call, event).parts.some(part => part.rule?.text === pattern)
}
