// page.records and page.facets: lists and counts over the newest entries that match, within a budget of rows looked at.
import { type EntryFilter, readLastSeq } from '../../ledger/read-entry.ts'
import type { Facet, RecordFacets, RecordPage, RecordRow } from '../../page/record.ts'
import { recordRow } from '../../statistic/record-row.ts'
import type { Store } from '../../store/store.ts'
import { scanBack } from './scan-entries.ts'

export interface ListOptions {
  readonly filter: EntryFilter
  /** null: from the newest on. */
  readonly before: number | null
  readonly limit: number
}

/** A page that finds little within this many rows comes back short, with where to go on. */
const MAX_LOOKED = 20_000
const MAX_COUNTED = 5000

export async function listRecords(store: Store, { filter, before, limit }: ListOptions): Promise<RecordPage> {
  const rows: RecordRow[] = []
  let looked = 0
  for await (const step of scanBack(store, filter, before ?? (await readLastSeq(store)) + 1)) {
    for (const entry of step.entries) {
      rows.push(recordRow(entry))
      if (rows.length === limit) return { rows, next: entry.seq > 1 ? entry.seq : null }
    }
    looked += step.looked
    if (looked >= MAX_LOOKED && step.from > 1) return { rows, next: step.from }
  }
  return { rows, next: null }
}

const FACETS = ['agent', 'actor', 'project', 'kind', 'tool', 'verdict'] as const

type FacetName = (typeof FACETS)[number]

const MAX_VALUES = 50

export async function countFacets(store: Store, filter: EntryFilter): Promise<RecordFacets> {
  const counts = new Map<FacetName, Map<string, number>>(FACETS.map(name => [name, new Map()]))
  let looked = 0
  let counted = 0
  let isPartial = false
  for await (const { entries, from, looked: more } of scanBack(store, filter, (await readLastSeq(store)) + 1)) {
    for (const entry of entries) count(counts, recordRow(entry))
    counted += entries.length
    looked += more
    isPartial = from > 1 && (looked >= MAX_LOOKED || counted >= MAX_COUNTED)
    if (isPartial) break
  }
  const facet = (name: FacetName): readonly Facet[] => listValues(counts.get(name) ?? new Map())
  return {
    counted,
    isPartial,
    agent: facet('agent'),
    actor: facet('actor'),
    project: facet('project'),
    kind: facet('kind'),
    tool: facet('tool'),
    verdict: facet('verdict'),
  }
}

function count(counts: ReadonlyMap<FacetName, Map<string, number>>, row: RecordRow): void {
  for (const [name, values] of counts) {
    // As the filter has it: only decisions have a verdict.
    const value = name === 'verdict' && row.tookMs === null ? null : row[name]
    if (value !== null) values.set(value, (values.get(value) ?? 0) + 1)
  }
}

function listValues(values: ReadonlyMap<string, number>): readonly Facet[] {
  return [...values]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || a.value.localeCompare(b.value))
    .slice(0, MAX_VALUES)
}
