// The token that lets one machine join: a secret, and the fingerprint of the team's root key, so that a machine knows its team before it
// tells anybody anything.
import { randomBytes } from 'node:crypto'
import { sha256Hex } from '../ledger/hash.ts'
import { formatNoteKey, type NoteKey } from '../ledger/note.ts'

export interface JoinToken {
  readonly secret: string
  readonly rootFingerprint: string
}

const SECRET_BYTES = 24

export function createJoinToken(root: NoteKey): string {
  return `belay-join-${randomBytes(SECRET_BYTES).toString('base64url')}.${fingerprintKey(root)}`
}

export function parseJoinToken(text: string): JoinToken | undefined {
  const [, secret, rootFingerprint] = /^belay-join-([A-Za-z0-9_-]{32})\.([0-9a-f]{32})$/.exec(text.trim()) ?? []
  return secret === undefined || rootFingerprint === undefined ? undefined : { secret, rootFingerprint }
}

export function fingerprintKey(key: NoteKey): string {
  return sha256Hex(formatNoteKey(key)).slice(0, 32)
}
