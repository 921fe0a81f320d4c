// Signed notes (c2sp.org/signed-note) with Ed25519: a text, an empty line, and one line for each signature.
// A key is known by its name and the first four bytes of SHA-256(name, newline, 0x01, public key).
import { createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto'

const ED25519 = 0x01
const SIGNATURE_LINE = /^\u2014 (\S+) ([A-Za-z0-9+/]+={0,2})$/

export interface NoteKey {
  readonly name: string
  /** Eight hex digits. */
  readonly id: string
  readonly publicKey: KeyObject
}

export interface NoteSigner extends NoteKey {
  readonly privateKey: KeyObject
}

export interface NoteSignature {
  readonly name: string
  readonly keyId: string
  readonly signature: Buffer
}

export interface Note {
  /** Ends with a newline; this is what is signed. */
  readonly text: string
  readonly signatures: readonly NoteSignature[]
}

export function createNoteKey(name: string, publicKey: KeyObject): NoteKey {
  if (!/^[^\s+]+$/.test(name)) throw new TypeError(`a key's name has no spaces and no plus sign, this one is ${JSON.stringify(name)}`)
  const preimage = Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(ED25519), rawKey(publicKey)])
  return { name, id: hash('sha256', preimage, 'hex').slice(0, 8), publicKey }
}

export function signNote(text: string, signers: readonly NoteSigner[]): string {
  if (!text.endsWith('\n')) throw new TypeError('the text of a note ends with a newline')
  const lines = signers.map(signer => {
    const signature = sign(null, Buffer.from(text), signer.privateKey)
    return `\u2014 ${signer.name} ${Buffer.concat([Buffer.from(signer.id, 'hex'), signature]).toString('base64')}\n`
  })
  return `${text}\n${lines.join('')}`
}

export function parseNote(note: string): Note | undefined {
  const end = note.lastIndexOf('\n\n')
  if (end === -1 || !note.endsWith('\n')) return undefined
  const lines = note.slice(end + 2, -1).split('\n')
  const signatures = lines.map(parseSignature)
  if (!signatures.every(signature => signature !== undefined)) return undefined
  return { text: note.slice(0, end + 1), signatures }
}

/** The keys among `keys` that signed this note. */
export function findSigners(note: Note, keys: readonly NoteKey[]): readonly NoteKey[] {
  const text = Buffer.from(note.text)
  return keys.filter(key =>
    note.signatures.some(
      signature => signature.name === key.name && signature.keyId === key.id && verify(null, text, key.publicKey, signature.signature),
    ),
  )
}

/** `name+id+base64(0x01, public key)`: the form in which a key is handed to others. */
export function formatNoteKey(key: NoteKey): string {
  return `${key.name}+${key.id}+${Buffer.concat([Buffer.of(ED25519), rawKey(key.publicKey)]).toString('base64')}`
}

export function parseNoteKey(text: string): NoteKey | undefined {
  const match = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]{44})$/.exec(text.trim())
  const [, name, id, encoded] = match ?? []
  if (name === undefined || id === undefined || encoded === undefined) return undefined
  const bytes = Buffer.from(encoded, 'base64')
  if (bytes.length !== 33 || bytes[0] !== ED25519) return undefined
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: bytes.subarray(1).toString('base64url') }
  const key = createNoteKey(name, createPublicKey({ key: jwk, format: 'jwk' }))
  return key.id === id ? key : undefined
}

function parseSignature(line: string): NoteSignature | undefined {
  const [, name, encoded] = SIGNATURE_LINE.exec(line) ?? []
  if (name === undefined || encoded === undefined) return undefined
  const bytes = Buffer.from(encoded, 'base64')
  // Another spelling of the same bytes is an edit too.
  if (bytes.toString('base64') !== encoded || bytes.length !== 68) return undefined
  return { name, keyId: bytes.subarray(0, 4).toString('hex'), signature: bytes.subarray(4) }
}

function rawKey(publicKey: KeyObject): Buffer {
  const { crv, x } = publicKey.export({ format: 'jwk' })
  if (crv !== 'Ed25519' || x === undefined) throw new TypeError('a note is signed with an Ed25519 key')
  return Buffer.from(x, 'base64url')
}
