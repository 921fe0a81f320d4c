// page.preview: what a new allow rule would have let through of what was asked or refused lately. An index finds those calls; they are judged
// by the policy of today with the rule added, on the redacted record.
import type { Entry } from '@belay/core/ledger'
import { type ActorBlock, type GenesisPolicy, matchesActor, parseRule, type Rule } from '@belay/core/policy'
import { allowBlockOf } from '../../config/allow-block.ts'
import type { LoadedPolicies } from '../../config/genesis.ts'
import type { ProjectGuard } from '../../guard/project-guard.ts'
import { readLastSeq } from '../../ledger/read-entry.ts'
import type { PatternPreview } from '../../page/policy.ts'
import type { RecordRow } from '../../page/record.ts'
import { callOfEntry, type RecordedCall } from '../../policy/recorded-call.ts'
import { recordRow } from '../../statistic/record-row.ts'
import { DAY_MS } from '../../statistic/rule-tally.ts'
import type { PageParts } from './page-parts.ts'
import { scanBack } from './scan-entries.ts'
import { createTurns } from './turn.ts'

export interface PreviewOptions {
  readonly pattern: string
  /** Whom the rule would be for; null: whoever made each call. */
  readonly actor: string | null
  /** null: in all projects. */
  readonly root: string | null
  readonly days: number
}

const MAX_LOOKED = 1000
const MAX_SAMPLES = 20

export async function previewPattern(parts: PageParts, options: PreviewOptions): Promise<PatternPreview> {
  const { pattern, days } = options
  const actor = holderOf(parts, options)
  const empty: PatternPreview = { actor, judged: 0, days, problem: null, matches: 0, stillDenied: 0, samples: [] }
  const parsed = parseRule(pattern, { effect: 'allow', dialect: 'genesis' })
  if (!parsed.ok) return { ...empty, problem: parsed.problem.message }
  const { rule } = parsed
  const trialOf = createTrials(parts, rule)
  const samples = new Map<string, { row: RecordRow; count: number }>()
  const turn = createTurns()
  let [judged, matches, stillDenied] = [0, 0, 0]
  for await (const { entry, recorded } of listRefused(parts, { ...options, actor })) {
    judged++
    await turn()
    const trial = trialOf(recorded.root, actor ?? entry.actor)
    if (!speaksOf(trial.alone, recorded, rule)) continue
    matches++
    if (trial.added.judge(recorded.call, recorded.event).verdict.decision !== 'allow') stillDenied++
    else addSample(samples, recordRow(entry))
  }
  const distinct = [...samples.values()].sort((a, b) => b.count - a.count || b.row.seq - a.row.seq)
  return { ...empty, judged, matches, stillDenied, samples: distinct.slice(0, MAX_SAMPLES) }
}

/** The same call again is counted, not listed. */
function addSample(samples: Map<string, { row: RecordRow; count: number }>, row: RecordRow): void {
  const key = `${row.tool} ${row.summary}`
  const known = samples.get(key)
  if (known === undefined) samples.set(key, { row, count: 1 })
  else known.count++
}

/** Whom the rule would hold for, once it stands where it must. */
function holderOf({ guards }: PageParts, { actor, root }: PreviewOptions): string | null {
  if (actor === null || root === null) return actor
  return allowBlockOf(targetOf(guards.get(root).loaded)?.permissions?.actors ?? [], actor)
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
      if (looked >= MAX_LOOKED) break
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

function createTrials({ guards }: PageParts, rule: Rule): (root: string, actor: string) => Trial {
  const made = new Map<string, Trial>()
  return (root, actor) => {
    const key = `${root}\n${actor}`
    const known = made.get(key)
    if (known !== undefined) return known
    const { loaded } = guards.get(root)
    const trial = { added: guards.build(withRule(loaded, actor, rule)), alone: guards.build(onlyRule(loaded, actor, rule)) }
    made.set(key, trial)
    return trial
  }
}

/** Where the rule would be written: the project's policy, else the user's. */
function targetOf({ files }: LoadedPolicies): GenesisPolicy | null {
  const ofOwner = (wanted: string) => files.find(({ owner }) => owner === wanted)?.policy ?? null
  return ofOwner('project') ?? ofOwner('user')
}

function withRule(loaded: LoadedPolicies, actor: string, rule: Rule): LoadedPolicies {
  const target = targetOf(loaded)
  if (target === null) return { ...loaded, policies: [...loaded.policies, policyOf(actor, rule)] }
  const { permissions } = target
  const actors = permissions?.actors ?? []
  const edited = actors.some(block => block.actor === actor)
    ? actors.map(block => (block.actor === actor ? { ...block, allow: [...block.allow, rule] } : block))
    : [...actors, blockOf(actor, rule)]
  const policy: GenesisPolicy = { ...target, permissions: { default: permissions?.default ?? 'none', actors: edited } }
  return { ...loaded, policies: loaded.policies.map(each => (each === target ? policy : each)) }
}

function onlyRule(loaded: LoadedPolicies, actor: string, rule: Rule): LoadedPolicies {
  return { ...loaded, policies: [policyOf(actor, rule)], locked: null }
}

function policyOf(actor: string, rule: Rule): GenesisPolicy {
  return {
    file: '',
    version: '2.0',
    hash: '',
    trusted: true,
    hooksFrom: null,
    hooks: [],
    permissions: { default: 'none', actors: [blockOf(actor, rule)] },
    operations: [],
    guards: [],
    guardrails: [],
    tools: [],
    sections: {},
  }
}

function blockOf(actor: string, rule: Rule): ActorBlock {
  return { actor, role: null, allow: [rule], ask: [], deny: [], place: { file: '', line: 1, column: 1 } }
}

function speaksOf(alone: ProjectGuard, { call, event }: RecordedCall, rule: Rule): boolean {
  return alone.judge(call, event).parts.some(part => part.rule === rule)
}
