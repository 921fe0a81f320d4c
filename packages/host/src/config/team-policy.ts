// The policy bundles that this machine holds of its team, sealed like what a person trusted: they were checked when they came, and nobody else
// can have put them there. What is sealed here and gone or damaged locks the gate: the policy of a team never turns into "no policy".
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Diagnostic, GenesisPolicy } from '@belay/core/policy'
import { parseGenesis } from '@belay/core/policy'
import { type BundleManifest, type Choice, chooseBundles, parseBundle, type StaleMode } from '@belay/core/team'
import { isObject } from '@belay/core/value'
import { type FilePrints, takePrints } from '../disk/file-prints.ts'
import { makeFolder } from '../disk/make-folder.ts'
import { countWants } from '../disk/read-want.ts'
import { replaceFile } from '../disk/write-file.ts'
import { genesisChecks } from './genesis-checks.ts'
import { hasSealKey, readSealed, writeSealed } from './sealed-file.ts'

/** What the thread that fetches keeps. */
export interface TeamPolicyState {
  readonly machine: string
  readonly labels: Readonly<Record<string, string>>
  /** The last bundle of the chain, whether it is meant for this machine or not. */
  readonly seen: { readonly version: number; readonly hash: string } | null
  /** Texts of those that may still be in force, the oldest first. */
  readonly bundles: readonly string[]
  readonly halted: readonly { readonly version: number; readonly why: string }[]
  readonly pinned: number | null
  /** The last one that was not taken. `isOver`: because its time was over before it came here. */
  readonly refused: { readonly at: string; readonly why: string; readonly isOver?: boolean } | null
  /** Versions as they were chosen last, so that time alone can make guards look again. */
  readonly chosen: { readonly inForce: number | null; readonly compared: number | null; readonly isStale: boolean } | null
  /** When the version in force came to be so. */
  readonly since: string | null
}

export interface HeldBundle {
  readonly manifest: BundleManifest
  readonly hash: string
  readonly files: ReadonlyMap<string, string>
}

export interface TeamPolicy {
  readonly version: number
  readonly hash: string
  readonly policies: readonly GenesisPolicy[]
  readonly isExpired: boolean
  /** The hub was not heard of for longer than the bundle allows; null: it was, or that changes nothing. */
  readonly stale: StaleMode | null
}

export type TeamPolicyRead =
  | { readonly kind: 'none' }
  | { readonly kind: 'broken'; readonly problem: Diagnostic }
  | {
      readonly kind: 'held'
      readonly state: TeamPolicyState
      readonly inForce: TeamPolicy | null
      /** Only compared with the one in force. */
      readonly compared: Pick<TeamPolicy, 'version' | 'hash' | 'policies'> | null
    }

const KEY = 'team.key'
const HOUR_MS = 3_600_000
export const teamPolicyFile = (home: string): string => join(home, 'team', 'policy.json')
const fetchedFile = (home: string): string => join(home, 'team', 'fetched.json')
/** Only for people to read: what judges is sealed. */
const shownFolder = (home: string): string => join(home, 'team', 'policy')

export const FIRST_TEAM_STATE: Omit<TeamPolicyState, 'machine' | 'labels'> = {
  seen: null,
  bundles: [],
  halted: [],
  pinned: null,
  refused: null,
  chosen: null,
  since: null,
}

export function readTeamPolicy(home: string, now: number): TeamPolicyRead {
  const file = teamPolicyFile(home)
  if (!existsSync(file)) return hasSealKey({ home, key: KEY }) ? broken(file, 'is gone') : { kind: 'none' }
  const read = readAgain(home, file)
  if ('problem' in read) return { kind: 'broken', problem: read.problem }
  const { state, bundles } = read
  const choice = chooseFor(state, bundles, now)
  const inForce = choice.inForce === null ? null : parsePolicies(home, choice.inForce)
  const compared = choice.compared === null ? null : parsePolicies(home, choice.compared)
  if (inForce !== null && 'problem' in inForce) return { kind: 'broken', problem: inForce.problem }
  return {
    kind: 'held',
    state,
    inForce: inForce && { ...inForce, isExpired: choice.isExpired, stale: findStale(home, choice.inForce, now) },
    compared: compared === null || 'problem' in compared ? null : compared,
  }
}

type Held = { readonly state: TeamPolicyState; readonly bundles: readonly HeldBundle[] } | { readonly problem: Diagnostic }

const kept = new Map<string, { readonly prints: FilePrints; readonly read: Held }>()

function readAgain(home: string, file: string): Held {
  const known = kept.get(file)
  if (known?.prints.areSame() === true) return known.read
  const wants = countWants()
  const prints = takePrints([file])
  const read = readHeld(home, file)
  if (countWants() === wants) kept.set(file, { prints, read })
  return read
}

function readHeld(home: string, file: string): Held {
  const read = readSealed({ home, file, key: KEY })
  const state = read.kind === 'sealed' && isState(read.value) ? read.value : undefined
  if (state === undefined) return broken(file, 'is damaged, or was not written by Belay')
  const bundles = state.bundles.map(parseBundle)
  return bundles.every(bundle => typeof bundle !== 'string')
    ? { state, bundles: bundles as readonly HeldBundle[] }
    : broken(file, 'holds a bundle that cannot be read')
}

export function chooseFor(state: TeamPolicyState, bundles: readonly HeldBundle[], now: number): Choice<HeldBundle> {
  const { machine, labels, pinned } = state
  return chooseBundles(bundles, { machine, labels, pinned, halted: state.halted.map(({ version }) => version), now })
}

function parsePolicies(
  home: string,
  { manifest, hash, files }: HeldBundle,
): Pick<TeamPolicy, 'version' | 'hash' | 'policies'> | { problem: Diagnostic } {
  const policies: GenesisPolicy[] = []
  for (const [name, text] of files) {
    const parsed = parseGenesis(text, join(shownFolder(home), String(manifest.version), name), genesisChecks)
    if (!parsed.ok) return { problem: parsed.errors[0] ?? broken(name, 'does not parse').problem }
    policies.push(parsed.policy)
  }
  return { version: manifest.version, hash, policies }
}

/** Text: why the files of a bundle cannot be used by this version of Belay. */
export function refuseFiles(home: string, bundle: HeldBundle): string | undefined {
  const parsed = parsePolicies(home, bundle)
  if (!('problem' in parsed)) return undefined
  const { place, message } = parsed.problem
  return `${place.file.split('/').at(-1)}:${place.line}: ${message}`
}

export function findStale(home: string, bundle: HeldBundle | null, now: number): StaleMode | null {
  const limit = bundle?.manifest.maxStale
  if (!limit || limit.mode === 'keep') return null
  const fetchedAt = readFetchedAt(home)
  // Either way: a clock that was put back makes nothing younger.
  return fetchedAt === null || Math.abs(now - fetchedAt) > limit.hours * HOUR_MS ? limit.mode : null
}

/** When the hub last answered about policies; null: never. */
export function readFetchedAt(home: string): number | null {
  const read = readSealed({ home, file: fetchedFile(home), key: KEY })
  return read.kind === 'sealed' && isObject(read.value) && typeof read.value.at === 'number' ? read.value.at : null
}

export function writeFetchedAt(home: string, at: number): void {
  writeSealed({ home, file: fetchedFile(home), key: KEY }, { at })
}

export function writeTeamPolicy(home: string, state: TeamPolicyState): void {
  writeSealed({ home, file: teamPolicyFile(home), key: KEY }, state, true)
  showFiles(home, state)
}

function showFiles(home: string, state: TeamPolicyState): void {
  const folder = shownFolder(home)
  const bundles = state.bundles.map(parseBundle).filter(bundle => typeof bundle !== 'string')
  const versions = new Set(bundles.map(({ manifest }) => String(manifest.version)))
  for (const name of existsSync(folder) ? readdirSync(folder) : [])
    if (!versions.has(name)) rmSync(join(folder, name), { recursive: true, force: true })
  for (const { manifest, files } of bundles) {
    const place = join(folder, String(manifest.version))
    if (existsSync(place)) continue
    makeFolder(place, 0o700)
    for (const [name, text] of files) replaceFile(join(place, name), text, 0o600)
  }
}

/** A person leaves the team. */
export function forgetTeamPolicy(home: string): void {
  for (const file of [teamPolicyFile(home), fetchedFile(home), join(home, 'keys', KEY)]) rmSync(file, { force: true })
  rmSync(shownFolder(home), { recursive: true, force: true })
}

function broken(file: string, what: string): { readonly kind: 'broken'; readonly problem: Diagnostic } {
  const message = `the policy of the team ${what}; \`belay policy pull\` fetches it again`
  return { kind: 'broken', problem: { severity: 'error', message, place: { file, line: 1, column: 1 } } }
}

function isState(value: unknown): value is TeamPolicyState {
  return isObject(value) && typeof value.machine === 'string' && Array.isArray(value.bundles) && Array.isArray(value.halted)
}
