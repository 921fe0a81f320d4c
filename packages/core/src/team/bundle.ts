// A policy bundle: one file of JSON with a manifest, the policy files, a publisher's signature over the manifest, and the endorsement of that
// publisher by the team's root. Whoever carries it, a hub or a stick, can neither make nor change one.
import { canonicalJson } from '../ledger/canonical-json.ts'
import { sha256Hex } from '../ledger/hash.ts'
import { formatNoteKey, type NoteKey, type NoteSigner, parseNote, parseNoteKey } from '../ledger/note.ts'
import { isObject } from '../value/is-object.ts'
import { type BundleManifest, readManifest, writeManifest } from './bundle-manifest.ts'
import { isStatement, signStatement } from './statement.ts'

export interface Bundle {
  readonly manifest: BundleManifest
  /** Of the manifest, which holds the hashes of the files: what the next bundle names as its previous. */
  readonly hash: string
  /** Text by name, in the order of the names. */
  readonly files: ReadonlyMap<string, string>
  readonly publisher: Publisher
}

export interface Publisher {
  readonly person: string
  readonly key: NoteKey
  /** The root's endorsement ends then; bundles that were made before stay. */
  readonly until: string
}

/** damaged: it cannot be read, or a file is not of its hash; signature: not of a publisher of this team; endorsement: its time is over. */
export type BundleFault = 'damaged' | 'signature' | 'endorsement'

export type ReadBundle =
  | { readonly ok: true; readonly bundle: Bundle }
  | { readonly ok: false; readonly fault: BundleFault; readonly why: string }

export const MAX_BUNDLE_BYTES: number = 1024 * 1024

export interface BundleContext {
  readonly root: NoteKey
  /** When it is published; null: it was before. An endorsement that has ended since then says nothing against a bundle. */
  readonly now: number | null
}

export function endorsePublisher({ person, key, until }: Publisher, root: NoteSigner): string {
  return signStatement('publisher', [person, until, formatNoteKey(key)], root)
}

export function readPublisher(endorsement: string, root: NoteKey): Publisher | undefined {
  const [, person, until, text] = parseNote(endorsement)?.text.split('\n') ?? []
  const key = text === undefined ? undefined : parseNoteKey(text)
  if (person === undefined || until === undefined || !key || Number.isNaN(Date.parse(until))) return undefined
  return isStatement(endorsement, 'publisher', [person, until, formatNoteKey(key)], root) ? { person, key, until } : undefined
}

export interface NewBundle {
  readonly manifest: Omit<BundleManifest, 'files'>
  readonly files: Readonly<Record<string, string>>
  readonly signer: NoteSigner
  /** The root's word for this signer. */
  readonly endorsement: string
}

export function createBundle({ manifest, files, signer, endorsement }: NewBundle): string {
  const hashes = Object.fromEntries(Object.entries(files).map(([name, text]) => [name, sha256Hex(text)]))
  const written = writeManifest({ ...manifest, files: hashes })
  const signature = signStatement('bundle', [hashManifest(written)], signer)
  return `${JSON.stringify({ belay_bundle: 1, manifest: written, files, signature, endorsement }, null, 1)}\n`
}

/** Everything that can be known of a bundle by itself. Whether it is the next one, in time and meant for this machine, is for whoever takes it. */
export function readBundle(text: string, { root, now }: BundleContext): ReadBundle {
  const parsed = parseBundle(text)
  if (typeof parsed === 'string') return { ok: false, fault: 'damaged', why: parsed }
  const publisher = readPublisher(parsed.endorsement, root)
  if (!publisher) return { ok: false, fault: 'signature', why: "its publisher is not endorsed by this team's root" }
  if (!isStatement(parsed.signature, 'bundle', [parsed.hash], publisher.key))
    return { ok: false, fault: 'signature', why: `it is not signed by ${publisher.person}, whose endorsement it carries` }
  if (Date.parse(publisher.until) <= Math.max(Date.parse(parsed.manifest.createdAt), now ?? 0))
    return { ok: false, fault: 'endorsement', why: `the endorsement of ${publisher.person} ended ${publisher.until}` }
  return { ok: true, bundle: { manifest: parsed.manifest, hash: parsed.hash, files: parsed.files, publisher } }
}

interface ParsedBundle {
  readonly manifest: BundleManifest
  readonly hash: string
  readonly files: ReadonlyMap<string, string>
  readonly signature: string
  readonly endorsement: string
}

/** Nobody has vouched for it yet. Text: why it cannot be read. */
export function parseBundle(text: string): ParsedBundle | string {
  if (text.length > MAX_BUNDLE_BYTES) return `a bundle has at most ${MAX_BUNDLE_BYTES} characters`
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return 'it is not JSON'
  }
  if (!isObject(value) || value.belay_bundle !== 1) return 'it is not a policy bundle of this version'
  const { signature, endorsement } = value
  const read = readManifest(value.manifest)
  if (!read.ok) return read.why
  if (typeof signature !== 'string' || typeof endorsement !== 'string') return 'it has no signature'
  const files = readFiles(value.files, read.manifest.files)
  if (typeof files === 'string') return files
  return { manifest: read.manifest, hash: hashManifest(writeManifest(read.manifest)), files, signature, endorsement }
}

function readFiles(value: unknown, hashes: Readonly<Record<string, string>>): ReadonlyMap<string, string> | string {
  if (!isObject(value)) return 'it has no files'
  const more = Object.keys(value).find(name => !Object.hasOwn(hashes, name))
  if (more !== undefined) return `its manifest does not name the file ${JSON.stringify(more)}`
  const files = new Map<string, string>()
  for (const name of Object.keys(hashes).sort()) {
    const text = Object.hasOwn(value, name) ? value[name] : undefined
    if (typeof text !== 'string' || sha256Hex(text) !== hashes[name]) return `its file ${name} is not the one of its manifest`
    files.set(name, text)
  }
  return files
}

function hashManifest(written: Readonly<Record<string, unknown>>): string {
  return sha256Hex(canonicalJson(written))
}

/** Text: why this bundle is not the one behind `last`, the last that was seen; null: none was. */
export function refuseOrder(
  { manifest, hash }: Bundle,
  last: { readonly version: number; readonly hash: string } | null,
): string | undefined {
  const { version, previous } = manifest
  if (last === null) return version === 1 ? undefined : `bundle ${version} came first: those before it were withheld`
  if (version === last.version) return hash === last.hash ? undefined : `there are two bundles of version ${version}`
  if (version < last.version) return `it is of version ${version}, and ${last.version} was seen: a lower version is not taken`
  if (version > last.version + 1) return `bundle ${version} came behind ${last.version}: those between were withheld`
  return previous === last.hash ? undefined : `bundle ${version} follows another bundle ${last.version} than the one that was seen`
}
