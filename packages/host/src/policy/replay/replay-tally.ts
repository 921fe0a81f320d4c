// What a replay found, as counts and groups; tallies of parts of a ledger add up to that of the whole.
import type { Entry } from '@belay/core/ledger'
import type { ToolCall } from '@belay/core/policy'
import type { Decision } from './recorded-decision.ts'
import type { Changed, Replayed, Unjudged } from './replay-call.ts'

export interface ReplayTally {
  /** Entries that were read. */
  entries: number
  /** Calls that were judged again. */
  judged: number
  same: number
  /** `allow->deny` and the like, where the text of the policy makes the difference. */
  readonly changed: Record<string, number>
  /** Differences that are not the policy's. */
  readonly byJudge: Record<string, number>
  readonly byFiles: Record<string, number>
  readonly unjudged: Partial<Record<Unjudged, number>>
  readonly groups: ReplayGroup[]
}

/** Changes of one kind that one rule makes. */
export interface ReplayGroup {
  readonly by: Changed['by']
  readonly before: Decision
  readonly after: Decision
  /** null: no rule speaks of these calls, so the default decides. */
  readonly rule: { readonly id: string; readonly text: string; readonly effect: string; readonly line: number | null } | null
  count: number
  readonly example: ReplayExample
}

export interface ReplayExample {
  readonly seq: number
  readonly time: string
  readonly actor: string
  readonly tool: string
  /** Its command, path, URL or name; else its input. */
  readonly text: string
  readonly reason: string
}

type TalliedEntry = Pick<Entry, 'seq' | 'time' | 'actor'>

export const MAX_GROUPS = 1000
const LONGEST_TEXT = 300

export function emptyTally(): ReplayTally {
  return { entries: 0, judged: 0, same: 0, changed: {}, byJudge: {}, byFiles: {}, unjudged: {}, groups: [] }
}

export function addReplayed(tally: ReplayTally, entry: TalliedEntry, replayed: Replayed): void {
  tally.entries++
  if (replayed.kind === 'other') return
  if (replayed.kind === 'unjudged') {
    tally.unjudged[replayed.why] = (tally.unjudged[replayed.why] ?? 0) + 1
    return
  }
  tally.judged++
  if (replayed.kind === 'same') tally.same++
  else addChange(tally, entry, replayed)
}

function addChange(tally: ReplayTally, { seq, time, actor }: TalliedEntry, change: Changed): void {
  const { by, before, after, rule, reason, call } = change
  count(countsOf(tally, by), `${before}->${after}`, 1)
  addGroup(tally, {
    by,
    before,
    after,
    rule: rule === null ? null : { id: rule.id, text: rule.text, effect: rule.effect, line: rule.place?.line ?? null },
    count: 1,
    example: { seq, time, actor, tool: call.tool, text: textOf(call), reason },
  })
}

export function mergeTally(into: ReplayTally, from: ReplayTally): void {
  into.entries += from.entries
  into.judged += from.judged
  into.same += from.same
  for (const by of ['policy', 'judge', 'files'] as const) {
    for (const [name, times] of Object.entries(countsOf(from, by))) count(countsOf(into, by), name, times)
  }
  for (const [why, times] of Object.entries(from.unjudged)) count(into.unjudged, why, times)
  for (const group of from.groups) addGroup(into, group)
}

function countsOf(tally: ReplayTally, by: Changed['by']): Record<string, number> {
  return by === 'policy' ? tally.changed : by === 'judge' ? tally.byJudge : tally.byFiles
}

function count(counts: Record<string, number>, name: string, times: number): void {
  counts[name] = (counts[name] ?? 0) + times
}

/** Of each group the earliest call is the example, in whatever order parts come. */
function addGroup({ groups }: ReplayTally, added: ReplayGroup): void {
  const at = groups.findIndex(group => keyOf(group) === keyOf(added))
  const known = groups[at]
  if (known === undefined) {
    if (groups.length < MAX_GROUPS) groups.push(added)
    return
  }
  const example = added.example.seq < known.example.seq ? added.example : known.example
  groups[at] = { ...known, count: known.count + added.count, example }
}

function keyOf({ by, before, after, rule }: ReplayGroup): string {
  return `${by} ${before} ${after} ${rule === null ? '' : `${rule.id} ${rule.line ?? ''}`}`
}

const MAIN_FIELDS = ['command', 'file_path', 'path', 'url', 'subagent_type', 'skill', 'query', 'pattern']

export function textOf({ input }: ToolCall): string {
  const main = MAIN_FIELDS.map(name => input[name]).find(value => typeof value === 'string')
  const text = typeof main === 'string' ? main : JSON.stringify(input)
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}...` : text
}
