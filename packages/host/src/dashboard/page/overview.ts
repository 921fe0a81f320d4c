// page.overview: figures over time, and what deserves a look: what is denied most, hooks that fail or are slow, agents that stay silent.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readRecord } from '../../install/install-record.ts'
import { readLastSeq } from '../../ledger/read-entry.ts'
import type { Overview } from '../../page/overview.ts'
import { percentile } from '../../statistic/histogram.ts'
import type { HookCost } from '../../statistic/hook-tally.ts'
import { recordRow } from '../../statistic/record-row.ts'
import type { PageParts } from './page-parts.ts'
import { scanBack } from './scan-entries.ts'

const MINUTE_MS = 60_000
const SILENT_MS = 24 * 60 * MINUTE_MS
/** Hooks are counted by day: today and the day before. */
const HOOK_DAYS = 2
const MAX_ROWS = 10
const DENIALS_LOOKED_AT = 1000

export async function readOverview(parts: PageParts, minutes: number): Promise<Overview> {
  await parts.tally.seed()
  const now = parts.now()
  const costs = await parts.tally.hooks.list(HOOK_DAYS, now)
  return {
    minutes: parts.tally.minutes.list(now, minutes),
    topDenied: await listTopDenied(parts, new Date(now - minutes * MINUTE_MS).toISOString()),
    failingHooks: listFailing(costs),
    slowHooks: listSlow(costs),
    silentAgents: await listSilent(parts, now),
  }
}

type Denied = Overview['topDenied'][number]

/** By tool and what denied, of the newest denials; an index finds them. */
async function listTopDenied({ ledger: { store } }: PageParts, since: string): Promise<readonly Denied[]> {
  const found = new Map<string, Denied>()
  let looked = 0
  for await (const step of scanBack(store, { verdict: 'deny', since }, (await readLastSeq(store)) + 1)) {
    for (const entry of step.entries) {
      const { seq, tool: asked, by: decider, place, reason, summary: example, event, project } = recordRow(entry)
      const [tool, by] = [asked ?? event ?? entry.kind, decider ?? reason ?? 'Belay']
      const key = [tool, by, place].join('\n')
      const known = found.get(key)
      found.set(key, known === undefined ? { tool, by, place, count: 1, example, project, seq } : { ...known, count: known.count + 1 })
    }
    looked += step.looked
    if (looked >= DENIALS_LOOKED_AT) break
  }
  return [...found.values()].sort((a, b) => b.count - a.count || b.seq - a.seq).slice(0, MAX_ROWS)
}

function listFailing(costs: readonly HookCost[]): Overview['failingHooks'] {
  return costs
    .filter(({ failures }) => failures > 0)
    .sort((a, b) => b.failures - a.failures)
    .slice(0, MAX_ROWS)
    .map(({ key, failures, runs, error }) => ({ ...namedHook(key), failures, runs, error }))
}

function listSlow(costs: readonly HookCost[]): Overview['slowHooks'] {
  return costs
    .filter(({ overBudget }) => overBudget > 0)
    .sort((a, b) => b.overBudget - a.overBudget)
    .slice(0, MAX_ROWS)
    .map(({ key, overBudget, durations }) => ({ ...namedHook(key), p99Ms: percentile(durations, 0.99) ?? 0, overBudget }))
}

/** The parts of a `hookKey`; where there is no place its scope stands. */
function namedHook(key: string): { readonly hook: string; readonly event: string; readonly place: string | null } {
  const [event = '', place = '', ...label] = key.split('\t')
  return { hook: label.join('\t'), event, place: place.includes(':') ? place : null }
}

async function listSilent(parts: PageParts, now: number): Promise<Overview['silentAgents']> {
  const wired = listWired(parts.home)
  if (wired.length === 0) return []
  const seen = await readLastSeen(parts)
  return wired.flatMap(agent => {
    const last = seen.get(agent) ?? null
    if (last !== null && now - Date.parse(last) < SILENT_MS) return []
    return [{ agent, lastSeenAt: last, remedy: `belay doctor ${agent}` }]
  })
}

/** Agents that `belay install` has wired. */
function listWired(home: string): readonly string[] {
  const folder = join(home, 'install')
  const agents = listFiles(folder).flatMap(name => readRecord(join(folder, name))?.agent ?? [])
  return [...new Set(agents)].sort()
}

function listFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter(name => name.endsWith('.json'))
  } catch {
    return []
  }
}

async function readLastSeen({ tally, ledger: { store } }: PageParts): Promise<ReadonlyMap<string, string>> {
  const rows = await store.db
    .selectFrom('sessions')
    .select(({ fn }) => ['agent_kind', fn.max('last_heartbeat').as('last')])
    .groupBy('agent_kind')
    .execute()
  const live = [...tally.agents].map(([agent, timeMs]) => [agent, new Date(timeMs).toISOString()] as const)
  return new Map([...rows.map(row => [row.agent_kind, String(row.last)] as const), ...live])
}
