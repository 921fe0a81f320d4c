// Judges the recorded calls of a range of entries under a policy that is tried, in whichever project each was made.

import { compileGlob, globMatches } from '@belay/core/match'
import { parseGenesis } from '@belay/core/policy'
import { readConfig } from '../../config/config-file.ts'
import type { PolicyOwner } from '../../config/genesis.ts'
import { genesisChecks } from '../../config/genesis-checks.ts'
import { homePaths } from '../../config/home.ts'
import { buildGuard, type GuardPlace, type GuardSources, loadGuard } from '../../guard/load-guard.ts'
import type { ProjectGuard } from '../../guard/project-guard.ts'
import type { SeqRange } from '../../ledger/find-time.ts'
import { restoreBody } from '../../ledger/restore-body.ts'
import { type Fields, parseFields, textIn } from '../../statistic/read-fields.ts'
import type { Store } from '../../store/store.ts'
import { prepareCallRead } from '../../store/table/ledger.ts'
import { replacePolicies } from '../draft-policies.ts'
import { rememberedFiles } from './remembered-files.ts'
import { createReplayCall, type ReplayGuards } from './replay-call.ts'
import { addReplayed, emptyTally, type ReplayTally } from './replay-tally.ts'

/** Plain data: it travels to threads. */
export interface ReplayRequest {
  readonly place: GuardPlace
  /** What is tried, and whose it is. */
  readonly draft: {
    readonly owner: PolicyOwner
    readonly files: readonly { readonly file: string; readonly text: string }[]
    /** Whether what it allows holds; default: it does. */
    readonly isTrusted?: boolean
  }
  /** With what it is compared; default: with what was recorded. */
  readonly against?: ReplayGuards['against']
  readonly filter: ReplayFilter
}

export interface ReplayFilter {
  /** The root of a project; null: all. */
  readonly project: string | null
  /** These may hold `*`. */
  readonly actor: string | null
  readonly session: string | null
}

const PAGE_ROWS = 256

export function createReplayRange(store: Store, request: ReplayRequest): (range: SeqRange) => Promise<ReplayTally> {
  const read = prepareCallRead(store)
  const guardsOf = createGuards(request)
  const replayCall = createReplayCall()
  const { project } = request.filter
  const isActor = nameTest(request.filter.actor)
  const isSession = nameTest(request.filter.session)
  return async ({ first, last }) => {
    const tally = emptyTally()
    for (let from = first; from <= last; from += PAGE_ROWS) {
      for (const entry of await read(from, Math.min(from + PAGE_ROWS - 1, last))) {
        if (!isActor(entry.actor) || !isSession(entry.session ?? '')) continue
        // Nothing that the form says is judged and large.
        const own = entry.own.includes('$blob"') ? await restoreBody(store, { seq: entry.seq, body: entry.own }) : parseFields(entry.own)
        const body: Fields = { ...entry.shared, ...own }
        const root = textIn(body.root)
        if (root === null || (project !== null && root !== project)) continue
        addReplayed(tally, entry, replayCall(entry, body, guardsOf(root)))
      }
    }
    return tally
  }
}

function nameTest(pattern: string | null): (name: string) => boolean {
  if (pattern === null) return () => true
  const glob = compileGlob(pattern, { question: false })
  return name => globMatches(glob, name)
}

/** Those of each project are built once. */
function createGuards({
  place,
  draft: { owner, files: texts, isTrusted = true },
  against = 'recorded',
}: ReplayRequest): (root: string) => ReplayGuards {
  const policies = texts.map(({ file, text }) => {
    const parsed = parseGenesis(text, file, genesisChecks)
    if (!parsed.ok) throw new Error(`${file} does not parse`)
    return { ...parsed.policy, trusted: isTrusted }
  })
  const read = readConfig(homePaths(place.home).config)
  const files = rememberedFiles()
  const build = (sources: GuardSources): ProjectGuard => buildGuard(sources, place, { config: read.ok ? read.config : {}, files })
  const known = new Map<string, ReplayGuards>()
  return root => {
    const before = known.get(root)
    if (before !== undefined) return before
    const sources = loadGuard(root, place, root)
    const draft = { ...sources, loaded: replacePolicies(sources.loaded, owner, policies) }
    const made: ReplayGuards = { draft: build(draft), current: build(sources), against }
    known.set(root, made)
    return made
  }
}
