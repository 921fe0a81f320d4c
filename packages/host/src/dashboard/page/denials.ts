// page.denials: what was refused lately, or asked about and not answered, grouped by what decided and by the shape of the call.
import type { Entry } from '@belay/core/ledger'
import { toolFamily } from '@belay/core/match'
import { readLastSeq } from '../../ledger/read-entry.ts'
import type { DenialGroup, Denials } from '../../page/policy.ts'
import type { RecordRow } from '../../page/record.ts'
import { parseFields, textIn } from '../../statistic/read-fields.ts'
import { rowOf } from '../../statistic/record-row.ts'
import { DAY_MS } from '../../statistic/rule-tally.ts'
import type { PageParts } from './page-parts.ts'
import { decidingPart } from './record-part.ts'
import { scanBack } from './scan-entries.ts'
import { wordsOfShape } from './shell-shape.ts'

const MAX_LOOKED = 5000
const MAX_GROUPS = 100
const ROWS_KEPT = 20

type Growing = { -readonly [K in keyof DenialGroup]: DenialGroup[K] } & { rows: RecordRow[]; agents: string[] }

export async function listDenials({ ledger: { store }, now }: PageParts, root: string, days: number): Promise<Denials> {
  const since = new Date(now() - days * DAY_MS).toISOString()
  const groups = new Map<string, Growing>()
  let isPartial = false
  for (const verdict of ['deny', 'ask'] as const) {
    let looked = 0
    for await (const step of scanBack(store, { verdict, since, project: root }, (await readLastSeq(store)) + 1)) {
      for (const entry of step.entries) add(groups, entry, verdict)
      looked += step.looked
      isPartial ||= looked >= MAX_LOOKED && step.from > 1
      if (looked >= MAX_LOOKED) break
    }
  }
  const sorted = [...groups.values()].sort((a, b) => b.count - a.count || b.last.localeCompare(a.last))
  return { groups: sorted.slice(0, MAX_GROUPS), days, isPartial }
}

/** Entries come newest first. */
function add(groups: Map<string, Growing>, entry: Entry, verdict: DenialGroup['verdict']): void {
  const body = parseFields(entry.body)
  const row = rowOf(entry, body)
  // Requests are another entry about the same call.
  if (row.tookMs === null) return
  const tool = row.tool ?? row.event ?? row.kind
  const shape = shapeOf(row, textIn(decidingPart(body)?.normal))
  const key = [verdict, row.by, row.place, tool, shape].join('\n')
  const known = groups.get(key)
  if (known === undefined) {
    const { by, place, reason, time } = row
    const isUncovered = by === 'no rule covers it'
    groups.set(key, {
      verdict,
      by,
      place,
      tool,
      shape,
      reason,
      count: 1,
      agents: agentsOf(row),
      first: time,
      last: time,
      rows: [row],
      isUncovered,
    })
    return
  }
  known.count++
  known.first = row.time
  for (const agent of agentsOf(row)) if (!known.agents.includes(agent)) known.agents.push(agent)
  if (known.rows.length < ROWS_KEPT) known.rows.push(row)
}

function agentsOf({ agentId }: RecordRow): string[] {
  return agentId === null ? [] : [agentId]
}

/** What such calls have in common: program and subcommand, a host, a file. */
function shapeOf({ tool, summary, project }: RecordRow, unit: string | null): string {
  if (tool !== null && toolFamily(tool) === 'shell') return wordsOfShape(unit ?? summary)
  if (URL.canParse(summary)) return new URL(summary).hostname
  return project !== null && summary.startsWith(`${project}/`) ? summary.slice(project.length + 1) : summary
}
