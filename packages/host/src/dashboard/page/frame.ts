// page.frame: the strip on top of every page. Asked for every few seconds, so it reads little.
import { formatPlace } from '@belay/core'
import type { LoadedPolicies } from '../../config/genesis.ts'
import { goodSince } from '../../config/genesis-good.ts'
import { homePaths } from '../../config/home.ts'
import { acceptChange, describeChange, type PolicyChange } from '../../config/policy-change.ts'
import { brokenFiles } from '../../guard/load-guard.ts'
import { readLastSeq } from '../../ledger/read-entry.ts'
import type { Frame } from '../../page/overview.ts'
import type { PolicyChangeView } from '../../page/policy.ts'
import type { PageParts } from './page-parts.ts'
import { countAgents, listAgents, listWaiting } from './waiting.ts'

const MAX_PROJECTS = 100
/** The files of agents are read in the projects worked in last. */
const LOOKED_AT = 5

export function createFrame(parts: PageParts): () => Promise<Frame> {
  const listProjects = createProjectList(parts)
  return async () => {
    // Before anything is read: a page that follows the feed from here on misses nothing.
    const lastEventId = parts.feed.lastId
    const { tally, state, ledger, approvals, version, startedAt, person } = parts
    const now = parts.now()
    const projects = await listProjects()
    const [first] = projects
    const agents = await listAgents(parts)
    return {
      version,
      startedAt: new Date(startedAt).toISOString(),
      now: new Date(now).toISOString(),
      store: ledger.files.database,
      person,
      paused: pausedFrame(state.pause.current()),
      projects,
      policy: first === undefined ? null : policyFrame(parts, first),
      eventsPerSecond: tally.minutes.perSecond(now),
      p99Ms: tally.minutes.p99Ms(now),
      agents: countAgents(agents),
      approvals: approvals.pending().length,
      unguarded: (await parts.unguarded(projects.slice(0, LOOKED_AT))).map(({ agent, project, message, remedy }) => ({
        agent,
        project,
        message,
        remedy,
      })),
      waiting: listWaiting(parts, agents),
      running: parts.doings.running(),
      records: await readLastSeq(ledger.store),
      lastEventId,
    }
  }
}

type Paused = ReturnType<PageParts['state']['pause']['current']>

function pausedFrame(paused: Paused): Frame['paused'] {
  return paused === null ? null : { until: new Date(paused.until).toISOString(), reason: paused.reason }
}

/** The one worked in last comes first. Those of earlier days are read once. */
function createProjectList({ tally, ledger: { store } }: PageParts): () => Promise<readonly string[]> {
  let earlier: Promise<readonly string[]> | null = null
  const readEarlier = async (): Promise<readonly string[]> => {
    const rows = await store.db
      .selectFrom('sessions')
      .select(({ fn }) => ['project_root', fn.max('id').as('last')])
      .groupBy('project_root')
      .orderBy('last', 'desc')
      .limit(MAX_PROJECTS)
      .execute()
    return rows.map(row => row.project_root)
  }
  return async () => {
    earlier ??= readEarlier()
    const known = [...tally.projects].sort(([, a], [, b]) => b - a).map(([root]) => root)
    return [...new Set([...known, ...(await earlier)])].slice(0, MAX_PROJECTS)
  }
}

function policyFrame({ guards, home }: PageParts, root: string): Frame['policy'] {
  const { loaded, sources, guard } = guards.get(root)
  const [broken] = brokenFiles(sources)
  const file = loaded.files.find(({ errors }) => errors.length > 0)
  const [change] = sources.changes
  return {
    root,
    hash: guard.policyHash,
    state: broken !== undefined ? 'broken' : change === undefined ? 'good' : 'changed',
    lastGoodAt: change?.trustedAt || (file === undefined ? null : lastGoodAt(home, file)),
    problem: describeProblem(broken?.errors[0]) ?? (change === undefined ? null : describeChange(change)),
  }
}

export function changeView(change: PolicyChange): PolicyChangeView {
  const { file, kind, hash, found } = change
  return { file, kind, hash, found, message: describeChange(change), remedy: acceptChange(change) }
}

/** When the version in force of a broken file was trusted, or first seen by a daemon; null: there is none. */
export function lastGoodAt(home: string, { path, policy, change }: LoadedPolicies['files'][number]): string | null {
  return change?.trustedAt || (policy === null ? null : goodSince(homePaths(home).goodPolicies, path))
}

function describeProblem(error: LoadedPolicies['files'][number]['errors'][number] | undefined): string | null {
  return error === undefined ? null : `${formatPlace(error.place)}: ${error.message}`
}
