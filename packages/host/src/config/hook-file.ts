// One file that hooks are drawn from, whatever its source: what of it runs, and why the rest does not.
// Invariants: a file of the project that nobody has trusted runs nothing; what was trusted runs until a person accepts something else; a
// file that cannot be used is an error of the policy: its last good version holds, and where there is none gating events are denied.
import type { Diagnostic, HookDefinition, HookSettings } from '@belay/core'
import type { GenesisPolicy, PolicyHook } from '@belay/core/policy'
import { type PolicyText, readPolicyText } from './genesis-text.ts'
import type { PolicyChange } from './policy-change.ts'
import { addTrust, hashOf, type TrustRecord, type TrustStore, trustedVersion } from './trust.ts'

export type HookSource = NonNullable<GenesisPolicy['hooksFrom']>[number]

export interface HookFilePlace {
  readonly path: string
  readonly owner: 'user' | 'project'
  readonly source: HookSource
  parse(text: string): ParsedHooks
  /** Only its hooks are Belay's business: another edit of the text needs no trust. */
  readonly isShared: boolean
}

export interface ParsedHooks {
  readonly hooks: readonly HookDefinition[]
  readonly settings: Pick<HookSettings, 'disableAllHooks' | 'allowManagedHooksOnly'>
  readonly diagnostics: readonly Diagnostic[]
}

export interface HookFile {
  readonly path: string
  readonly owner: HookFilePlace['owner']
  readonly source: HookSource
  readonly hooks: readonly PolicyHook[]
  /** Of the text that holds. */
  readonly settings: ParsedHooks['settings']
  /** It cannot be used. */
  readonly errors: readonly Diagnostic[]
  readonly warnings: readonly Diagnostic[]
  readonly change: PolicyChange | null
  /** It cannot be used, and there is no good version that could hold in its place. */
  readonly isLocked: boolean
  readonly isTrusted: boolean
}

export interface HookFileOptions {
  readonly trust: TrustStore
  /** Why no hook of this source runs; null: they do. */
  readonly refused: string | null
}

/** null: there is no such file, and none was ever trusted. */
export function loadHookFile(place: HookFilePlace, options: HookFileOptions): HookFile | null {
  const read = readPolicyText(place.path)
  const known = trustedVersion(options.trust, place.path)
  if (known !== null) return loadKnown(place, read, known, options)
  if (read.kind === 'missing') return null
  const parsed = read.kind === 'text' ? place.parse(read.text) : broken(read.problem)
  const isTrusted = place.owner === 'user' && options.trust.problem === null
  return makeFile(place, { ...options, found: parsed, held: null, change: null, isTrusted })
}

function loadKnown(place: HookFilePlace, read: PolicyText, known: TrustRecord, options: HookFileOptions): HookFile {
  const held = place.parse(known.text)
  const found = read.kind === 'text' ? place.parse(read.text) : read.kind === 'unreadable' ? broken(read.problem) : NOTHING
  const isSame =
    read.kind === 'text' && (hashOf(read.text) === known.hash || (place.isShared && isBroken(found) === false && saysSame(held, found)))
  const isTrusted = options.trust.problem === null
  if (isSame) return makeFile(place, { ...options, found, held: null, change: null, isTrusted })
  const isEmpty = read.kind === 'text' && read.text.trim() === ''
  const kind = read.kind === 'missing' ? 'removed' : isEmpty || isBroken(found) ? 'broken' : 'edited'
  const hash = read.kind === 'text' ? hashOf(read.text) : null
  const change: PolicyChange = { file: place.path, kind, hash: known.hash, found: hash, trustedAt: known.at }
  return makeFile(place, { ...options, found, held, change, isTrusted })
}

const NOTHING: ParsedHooks = { hooks: [], settings: {}, diagnostics: [] }

function broken(problem: Diagnostic): ParsedHooks {
  return { ...NOTHING, diagnostics: [problem] }
}

function isBroken({ diagnostics }: ParsedHooks): boolean {
  return diagnostics.some(({ severity }) => severity === 'error')
}

function saysSame(one: ParsedHooks, other: ParsedHooks): boolean {
  const said = ({ hooks, settings }: ParsedHooks) => JSON.stringify([hooks.map(({ place: _place, ...hook }) => hook), settings])
  return said(one) === said(other)
}

interface Found extends HookFileOptions {
  readonly found: ParsedHooks
  /** What holds instead. */
  readonly held: ParsedHooks | null
  readonly change: PolicyChange | null
  readonly isTrusted: boolean
}

function makeFile({ path, owner, source }: HookFilePlace, { found, held, change, isTrusted, refused }: Found): HookFile {
  const untrusted = `${path} is not trusted: its hooks do not run until \`belay policy trust\``
  const errors = refused === null ? found.diagnostics.filter(({ severity }) => severity === 'error') : []
  const isUsable = errors.length === 0
  const rows = (hooks: readonly HookDefinition[], inert: string | null): readonly PolicyHook[] => hooks.map(hook => ({ hook, inert }))
  const inForce = held ?? (isUsable ? found : NOTHING)
  const isRunning = isTrusted && refused === null
  return {
    path,
    owner,
    source,
    hooks: [
      ...rows(inForce.hooks, refused ?? (isTrusted ? null : untrusted)),
      ...(held === null || !isUsable ? [] : rows(found.hooks, refused ?? untrusted)),
    ],
    settings: isRunning ? inForce.settings : {},
    errors,
    warnings: found.diagnostics.filter(({ severity }) => severity !== 'error'),
    change,
    isLocked: !isUsable && held === null,
    isTrusted: isTrusted && change === null,
  }
}

/** A user's own file is accepted as it is first found; after that, a change of it needs a person like any other. */
export function rememberHookFile({ path, owner, hooks, errors, isTrusted }: HookFile, trust: TrustStore): void {
  if (owner !== 'user' || !isTrusted || errors.length > 0 || hooks.length === 0) return
  const read = readPolicyText(path)
  if (read.kind === 'text' && trustedVersion(trust, path) === null) addTrust(trust.path, path, hashOf(read.text))
}

/** What policies say of a source. Only a trusted one draws anything in, or leaves anything out. */
export function sourceState(
  policies: readonly GenesisPolicy[],
  source: HookSource,
): { readonly isWanted: boolean; readonly refused: string | null } {
  const choosing = policies.filter(({ trusted, hooksFrom }) => trusted && hooksFrom !== null)
  const closed = choosing.find(({ hooksFrom }) => hooksFrom?.includes(source) === false)
  const isNamed = choosing.some(({ hooksFrom }) => hooksFrom?.includes(source) === true)
  const refused = closed === undefined ? null : `${closed.file} takes hooks from ${closed.hooksFrom?.join(', ')} only`
  return { isWanted: refused === null && (isNamed || source === 'hooks_toml'), refused }
}
