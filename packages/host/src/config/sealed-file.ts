// JSON that only this program can have written: each file carries a code made with a secret of this machine. What an agent writes or copies
// there is told apart, also by a client that has nothing but files.
import { closeSync, existsSync, fstatSync, linkSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { loadCrypto } from '../disk/load-crypto.ts'
import { makeFolder } from '../disk/make-folder.ts'
import { noteWant } from '../disk/read-want.ts'

export interface SealPlace {
  readonly home: string
  readonly file: string
  /** File name of the secret under `keys`. */
  readonly key: string
}

/** `unsealed`: there is something, but not of our making; `value` is what it says, null where it is not even JSON. */
export type SealedRead =
  | { readonly kind: 'missing' }
  /** `changedAt`: when the file itself was last written, moved or linked; only the system sets that. */
  | { readonly kind: 'sealed'; readonly value: unknown; readonly changedAt: number }
  | { readonly kind: 'unsealed'; readonly value: unknown }

const KEY_BYTES = 32

export function hasSealKey({ home, key }: Pick<SealPlace, 'home' | 'key'>): boolean {
  return existsSync(keyFile(home, key))
}

export function readSealed(place: SealPlace): SealedRead {
  const found = readFile(place.file)
  if (found === null) return { kind: 'missing' }
  const { text, changedAt } = found
  const read = parse(text)
  const key = readKey(keyFile(place.home, place.key))
  if (key === null || read === null) return { kind: 'unsealed', value: read?.value ?? null }
  const expected = codeOf(place, key, read.value)
  const given = Buffer.from(read.seal, 'hex')
  return given.length === expected.length && loadCrypto().timingSafeEqual(given, expected)
    ? { kind: 'sealed', value: read.value, changedAt }
    : { kind: 'unsealed', value: read.value }
}

/** Whole or not at all; `flush`: it also survives that the machine stops. */
export function writeSealed(place: SealPlace, value: unknown, flush = false): void {
  const key = makeKey(place)
  // As it will be read: what JSON leaves out must not count.
  const plain: unknown = JSON.parse(JSON.stringify(value))
  makeFolder(dirname(place.file), 0o700)
  const draft = `${place.file}.${loadCrypto().randomUUID()}`
  writeFileSync(draft, `${JSON.stringify({ seal: codeOf(place, key, plain).toString('hex'), value: plain }, null, 1)}\n`, {
    mode: 0o600,
    flush,
  })
  renameSync(draft, place.file)
}

/** The file's own place counts: one that is copied over another is not that other. */
function codeOf({ home, file }: SealPlace, key: Uint8Array, value: unknown): Buffer {
  return loadCrypto()
    .createHmac('sha256', key)
    .update(`${relative(home, file)}\n${JSON.stringify(value)}`)
    .digest()
}

function parse(text: string): { readonly seal: string; readonly value: unknown } | null {
  try {
    const read: unknown = JSON.parse(text)
    if (typeof read !== 'object' || read === null) return null
    if (!('seal' in read) || !('value' in read)) return { seal: '', value: read }
    return { seal: typeof read.seal === 'string' ? read.seal : '', value: read.value }
  } catch {
    return null
  }
}

function keyFile(home: string, key: string): string {
  return join(home, 'keys', key)
}

function readKey(file: string): Buffer | null {
  const key = Buffer.from(readText(file)?.trim() ?? '', 'hex')
  return key.length === KEY_BYTES ? key : null
}

/** Two processes may make it at once: the first one's stands. */
function makeKey({ home, key }: SealPlace): Buffer {
  const file = keyFile(home, key)
  const known = readKey(file)
  if (known !== null) return known
  makeFolder(dirname(file), 0o700)
  const draft = `${file}.${loadCrypto().randomUUID()}`
  writeFileSync(draft, `${loadCrypto().randomBytes(KEY_BYTES).toString('hex')}\n`, { mode: 0o600 })
  try {
    linkSync(draft, file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    // One that came meanwhile stands, since others seal with it; only what is no key is replaced.
    if (readKey(file) === null) renameSync(draft, file)
  } finally {
    rmSync(draft, { force: true })
  }
  const made = readKey(file)
  if (made === null) throw new Error(`${file} cannot be written, so nothing can be sealed; check its folder`)
  return made
}

function readText(file: string): string | null {
  return readFile(file)?.text ?? null
}

function readFile(file: string): { readonly text: string; readonly changedAt: number } | null {
  let descriptor: number | null = null
  try {
    descriptor = openSync(file, 'r')
    const { ctimeMs: changedAt } = fstatSync(descriptor)
    return { text: readFileSync(descriptor, 'utf8'), changedAt }
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null
    noteWant(error)
    return { text: '', changedAt: 0 }
  } finally {
    if (descriptor !== null) closeSync(descriptor)
  }
}
