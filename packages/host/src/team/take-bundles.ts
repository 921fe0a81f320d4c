// What becomes of bundles that a hub hands out: each must be the next of the chain, signed by a publisher of this team, and readable by this
// version. The first that is not ends it; whatever was in force stays in force, and why is said.
import { type NoteKey, parseNoteKey } from '@belay/core/ledger'
import { isOver, parseBundle, readBundle, refuseOrder } from '@belay/core/team'
import { chooseFor, findStale, type HeldBundle, refuseFiles, type TeamPolicyState } from '../config/team-policy.ts'

export interface TakeContext {
  readonly home: string
  /** The team's root, as it was pinned. */
  readonly rootKey: string
  readonly now: number
}

export interface HubPolicies {
  readonly bundles: readonly string[]
  readonly halted: TeamPolicyState['halted']
  /** Somebody brought them: the hub has not been heard of. */
  readonly isFile?: boolean
}

/** A bundle that is over by itself is kept for a while: another may end sooner. */
const KEPT = 12
const MAX_WHY = 500

export function takeBundles(state: TeamPolicyState, { bundles, halted }: HubPolicies, context: TakeContext): TeamPolicyState {
  let next = state
  const root = parseNoteKey(context.rootKey)
  for (const text of bundles) {
    const taken = takeOne(next, text, { ...context, root })
    next = taken.state
    if (taken.isEnd) break
  }
  return chooseAgain(trim({ ...next, halted: mergeHalted(next, halted) }, context.now), context)
}

function takeOne(
  state: TeamPolicyState,
  text: string,
  { home, root, now }: TakeContext & { readonly root: NoteKey | undefined },
): { readonly state: TeamPolicyState; readonly isEnd: boolean } {
  const refuse = (why: string, seen = state.seen, isEnd = true) => {
    const isSame = state.refused?.why === why
    return { state: { ...state, seen, refused: isSame ? state.refused : { at: new Date(now).toISOString(), why } }, isEnd }
  }
  if (!root) return refuse("the key of the team's root cannot be read")
  const read = readBundle(text, { root, now: null })
  if (!read.ok) return refuse(`${nameFault(read.fault)}: ${read.why}`)
  const { bundle } = read
  const { version } = bundle.manifest
  const disorder = refuseOrder(bundle, state.seen)
  if (disorder !== undefined) return refuse(disorder)
  if (version === state.seen?.version) return { state, isEnd: false }
  const seen = { version, hash: bundle.hash }
  const unread = refuseFiles(home, bundle)
  // The chain goes on without it: whatever was in force stays.
  if (unread !== undefined) return refuse(`bundle ${version} cannot be used by this version of belay: ${unread}`, seen, false)
  if (isOver(bundle.manifest, now)) {
    const { state: next } = refuse(`bundle ${version} is over since ${bundle.manifest.expires}`, seen)
    return { state: { ...next, refused: next.refused && { ...next.refused, isOver: true } }, isEnd: false }
  }
  return { state: { ...state, seen, refused: null, bundles: [...state.bundles, text] }, isEnd: false }
}

function nameFault(fault: 'damaged' | 'signature' | 'endorsement'): string {
  return { damaged: 'a damaged bundle', signature: 'a bundle with a bad signature', endorsement: 'a bundle of a former publisher' }[fault]
}

/** Only of what was published, as far as this machine knows: a hub cannot make the list longer than that. */
function mergeHalted({ halted, seen }: TeamPolicyState, more: TeamPolicyState['halted']): TeamPolicyState['halted'] {
  const known = new Set(halted.map(({ version }) => version))
  const fresh = more.filter(
    ({ version }) => Number.isSafeInteger(version) && version > 0 && version <= (seen?.version ?? 0) && !known.has(version),
  )
  return [...halted, ...new Map(fresh.map(({ version, why }) => [version, { version, why: why.slice(0, MAX_WHY) }])).values()]
}

/** What may still come into force: the last few, and the newest that never ends. */
function trim(state: TeamPolicyState, now: number): TeamPolicyState {
  if (state.bundles.length <= KEPT) return state
  const held = parseHeld(state)
  const base = chooseFor(
    { ...state, halted: [] },
    held.filter(({ manifest }) => manifest.expires === null && manifest.halt === null),
    now,
  )
  const keep = new Set([base.inForce?.manifest.version, chooseFor(state, held, now).inForce?.manifest.version])
  return { ...state, bundles: state.bundles.filter((_, at) => at >= held.length - KEPT || keep.has(held[at]?.manifest.version)) }
}

/** The choice as it is now, by the clock too. The same object where nothing changed. */
export function chooseAgain(state: TeamPolicyState, { home, now }: Pick<TakeContext, 'home' | 'now'>): TeamPolicyState {
  const { inForce, compared } = chooseFor(state, parseHeld(state), now)
  const chosen = {
    inForce: inForce?.manifest.version ?? null,
    compared: compared?.manifest.version ?? null,
    isStale: findStale(home, inForce, now) !== null,
  }
  const before = state.chosen
  if (before?.inForce === chosen.inForce && before.compared === chosen.compared && before.isStale === chosen.isStale) return state
  return { ...state, chosen, since: before?.inForce === chosen.inForce ? state.since : new Date(now).toISOString() }
}

export function parseHeld({ bundles }: Pick<TeamPolicyState, 'bundles'>): readonly HeldBundle[] {
  return bundles.map(parseBundle).filter(bundle => typeof bundle !== 'string')
}
