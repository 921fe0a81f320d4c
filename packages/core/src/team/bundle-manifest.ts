// What a bundle says about itself: which files, for which machines, from when until when, and when it stops by itself. Every key is known:
// one that a later version invents could narrow what this one would widen, so it is refused.
import { hash } from 'node:crypto'
import { isObject } from '../value/is-object.ts'

export const BUNDLE_MODES = ['observe', 'enforce'] as const
export type BundleMode = (typeof BUNDLE_MODES)[number]

/** What a machine does that has not heard from its hub for too long: goes on, asks about what no rule names, or refuses everything. */
export const STALE_MODES = ['keep', 'ask-new', 'deny'] as const
export type StaleMode = (typeof STALE_MODES)[number]

export interface HaltRule {
  /** Calls that this bundle denies and the one before did not, of 1,000. */
  readonly newDeniesPer1000: number
  /** Fewer calls say nothing. */
  readonly minCalls: number
}

export interface BundleManifest {
  /** Rises by one. */
  readonly version: number
  /** The hash of the bundle before; null: this is the first. */
  readonly previous: string | null
  readonly createdAt: string
  /** SHA-256 of each file, in hex, by name. */
  readonly files: Readonly<Record<string, string>>
  /** A machine has all of these labels; empty: every machine. */
  readonly selector: Readonly<Record<string, string>>
  readonly mode: BundleMode
  readonly notBefore: string | null
  readonly expires: string | null
  /** Of the machines that are selected. */
  readonly percentage: number
  readonly halt: HaltRule | null
  readonly maxStale: { readonly hours: number; readonly mode: StaleMode } | null
  /** Why it was published. */
  readonly note: string
}

export type ReadManifest = { readonly ok: true; readonly manifest: BundleManifest } | { readonly ok: false; readonly why: string }

const KEYS = [
  'version',
  'previous',
  'created_at',
  'files',
  'selector',
  'mode',
  'not_before',
  'expires',
  'percentage',
  'halt',
  'max_stale',
  'note',
] as const
const HASH = /^[0-9a-f]{64}$/
/** No folders: a name is shown, and becomes part of a place in a policy. */
export const BUNDLE_FILE_NAME: RegExp = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/

/** As it stands in the file. */
export function writeManifest(manifest: BundleManifest): Readonly<Record<string, unknown>> {
  const { version, previous, files, selector, mode, expires, percentage, note, halt, maxStale } = manifest
  return {
    version,
    previous,
    created_at: manifest.createdAt,
    files,
    selector,
    mode,
    not_before: manifest.notBefore,
    expires,
    percentage,
    halt: halt && { new_denies_per_1000: halt.newDeniesPer1000, min_calls: halt.minCalls },
    max_stale: maxStale,
    note,
  }
}

export function readManifest(value: unknown): ReadManifest {
  if (!isObject(value)) return no('the manifest is not an object')
  const unknown = Object.keys(value).find(key => !(KEYS as readonly string[]).includes(key))
  if (unknown !== undefined) return no(`the manifest has a key ${JSON.stringify(unknown)} that this version does not know; update belay`)
  const why = findProblem(value)
  if (why !== undefined) return no(why)
  const halt = value.halt as { new_denies_per_1000: number; min_calls: number } | null
  return {
    ok: true,
    manifest: {
      version: value.version as number,
      previous: value.previous as string | null,
      createdAt: value.created_at as string,
      files: value.files as Record<string, string>,
      selector: value.selector as Record<string, string>,
      mode: value.mode as BundleMode,
      notBefore: value.not_before as string | null,
      expires: value.expires as string | null,
      percentage: value.percentage as number,
      halt: halt && { newDeniesPer1000: halt.new_denies_per_1000, minCalls: halt.min_calls },
      maxStale: value.max_stale as BundleManifest['maxStale'],
      note: value.note as string,
    },
  }
}

function findProblem(value: Readonly<Record<string, unknown>>): string | undefined {
  const { version, previous, files, selector, mode, percentage, note } = value
  if (!isWhole(version, 1)) return 'version is a whole number from 1 on'
  if (previous !== null && !(typeof previous === 'string' && HASH.test(previous))) return 'previous is a hash or null'
  if ((version === 1) !== (previous === null)) return 'the first bundle follows none, and every other one follows one'
  if (!isTime(value.created_at)) return 'created_at is a time'
  if (!isTexts(files) || Object.keys(files).length === 0) return 'files names at least one file'
  const name = Object.keys(files).find(each => !BUNDLE_FILE_NAME.test(each))
  if (name !== undefined) return `${JSON.stringify(name)} is not the name of a file in a bundle: letters, digits and . _ -, no folders`
  if (!Object.values(files).every(each => HASH.test(each))) return 'files gives a SHA-256 for each name'
  if (!isTexts(selector)) return 'selector is labels'
  if (!(BUNDLE_MODES as readonly unknown[]).includes(mode)) return `mode is one of ${BUNDLE_MODES.join(', ')}`
  if (![value.not_before, value.expires].every(time => time === null || isTime(time))) return 'not_before and expires are times or null'
  if (!isWhole(percentage, 0) || (percentage as number) > 100) return 'percentage is from 0 to 100'
  if (typeof note !== 'string') return 'note is a text'
  return findHaltProblem(value.halt) ?? findStaleProblem(value.max_stale)
}

function findHaltProblem(value: unknown): string | undefined {
  if (value === null) return undefined
  if (!isObject(value) || Object.keys(value).length !== 2) return 'halt is {new_denies_per_1000, min_calls} or null'
  const { new_denies_per_1000: rate, min_calls: calls } = value
  return typeof rate === 'number' && rate >= 0 && isWhole(calls, 1) ? undefined : 'halt is {new_denies_per_1000, min_calls} or null'
}

function findStaleProblem(value: unknown): string | undefined {
  if (value === null) return undefined
  const isGood =
    isObject(value) &&
    Object.keys(value).length === 2 &&
    typeof value.hours === 'number' &&
    value.hours > 0 &&
    (STALE_MODES as readonly unknown[]).includes(value.mode)
  return isGood ? undefined : `max_stale is {hours, mode}, mode one of ${STALE_MODES.join(', ')}, or null`
}

/** Whether a bundle is meant for this machine. The same machines come first in every roll-out, so that a wider one holds a narrower one. */
export function isMeantFor(
  { selector, percentage }: BundleManifest,
  { machine, labels }: { readonly machine: string; readonly labels: Readonly<Record<string, string>> },
): boolean {
  return Object.entries(selector).every(([name, value]) => labels[name] === value) && shareOf(machine) < percentage
}

/** From 0 to below 100, and always the same. */
export function shareOf(machine: string): number {
  return (Number.parseInt(hash('sha256', machine, 'hex').slice(0, 8), 16) / 0x1_0000_0000) * 100
}

export function isHalted(rule: HaltRule, { calls, newDenies }: { readonly calls: number; readonly newDenies: number }): boolean {
  return calls >= rule.minCalls && newDenies * 1000 > rule.newDeniesPer1000 * calls
}

function no(why: string): { readonly ok: false; readonly why: string } {
  return { ok: false, why }
}

function isWhole(value: unknown, from: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= from
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) && !Number.isNaN(Date.parse(value))
}

function isTexts(value: unknown): value is Record<string, string> {
  return isObject(value) && Object.values(value).every(each => typeof each === 'string')
}
