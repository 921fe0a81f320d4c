// Which agents escape the guard, for people who look at the fleet: hooks that an agent's files switch off or weaken, and denied calls that ran.
// Asked every few seconds: files are read again after a while only, and of the ledger only what is new.
import { homedir } from 'node:os'
import { GUARD_PASSED } from '../decision/passed-guard.ts'
import { queryEntries, readLastSeq } from '../ledger/read-entry.ts'
import type { UnguardedView } from '../page/overview.ts'
import type { Store } from '../store/store.ts'

export interface Unguarded extends UnguardedView {
  /** The one agent it is about; null: every one of its kind. */
  readonly agentId: string | null
}

export type FindUnguarded = (projects: readonly string[]) => Promise<readonly Unguarded[]>

export interface UnguardedOptions {
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly store: Store
  now(): number
}

const READ_AGAIN_MS = 5000
const MAX_PROJECTS = 20
/** So many of the last entries are looked through once. */
const LOOKED_BACK = 20_000
const SHOWN_MS = 7 * 24 * 3_600_000
const MAX_PASSED = 100

export function createUnguarded(options: UnguardedOptions): FindUnguarded {
  const files = new Map<string, { readonly at: number; readonly found: readonly Unguarded[] }>()
  const readPassed = createPassedReader(options)
  return async projects => {
    const now = options.now()
    const found: Unguarded[] = [...(await readPassed(now))]
    for (const project of projects.slice(0, MAX_PROJECTS)) {
      const known = files.get(project)
      const read = known !== undefined && now - known.at < READ_AGAIN_MS ? known : { at: now, found: await readFiles(options, project) }
      files.set(project, read)
      found.push(...read.found)
    }
    for (const project of files.keys()) if (files.size > MAX_PROJECTS && !projects.includes(project)) files.delete(project)
    return [...new Map(found.map(each => [JSON.stringify([each.agent, each.agentId, each.message]), each])).values()]
  }
}

/** Loaded when somebody looks: a daemon that nobody asks does without the tables of agents' files. */
async function readFiles({ home, env }: UnguardedOptions, project: string): Promise<readonly Unguarded[]> {
  const [{ findUnguarded }, { shimPath }] = await Promise.all([import('../install/find-unguarded.ts'), import('../install/choose-shim.ts')])
  const findings = findUnguarded(home, scope => ({
    scope,
    env,
    userHome: env.HOME || homedir(),
    projectRoot: project,
    shim: shimPath(home),
  }))
  return findings.map(({ agent, message, remedy = null }) => ({ agent, agentId: null, project, message, remedy }))
}

function createPassedReader({ store }: UnguardedOptions): (now: number) => Promise<readonly Unguarded[]> {
  let next: number | null = null
  let passed: readonly (Unguarded & { readonly at: number })[] = []
  return async now => {
    const last = await readLastSeq(store)
    const first = next ?? Math.max(1, last - LOOKED_BACK)
    next = last + 1
    const entries =
      first > last ? [] : await queryEntries(store, { kind: GUARD_PASSED, first, last }, { limit: MAX_PASSED, newestFirst: true })
    passed = [...entries.map(readPassedEntry), ...passed].filter(({ at }) => now - at < SHOWN_MS).slice(0, MAX_PASSED)
    return passed
  }
}

function readPassedEntry({ time, body }: { readonly time: string; readonly body: string }): Unguarded & { readonly at: number } {
  const { agent, agentId, root, tool, reason } = JSON.parse(body) as Readonly<Record<string, string | null>>
  return {
    agent: agent ?? null,
    agentId: agentId ?? null,
    project: root ?? null,
    message: `a denied call of ${tool} ran all the same at ${time} (${reason})`,
    remedy: `belay ledger query --kind ${GUARD_PASSED}`,
    at: Date.parse(time),
  }
}

/** What is to be said of one agent of the fleet; undefined: nothing. */
export function unguardedWhy(
  found: readonly Unguarded[],
  { agent, kind, project }: { readonly agent: string; readonly kind: string | null; readonly project: string | null },
): string | undefined {
  const isMeant = (each: Unguarded): boolean =>
    each.agentId === null
      ? (each.agent === null || each.agent === kind) && (each.project === null || each.project === project)
      : each.agentId === agent
  return found.find(isMeant)?.message
}
