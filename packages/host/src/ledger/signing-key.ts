// The keys that sign checkpoints: one file each under keys/, private ones readable by their owner only. Public ones lie beside them,
// outside the database, so that whoever rewrites the database cannot bring a key of their own.
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createNoteKey, formatNoteKey, type NoteKey, type NoteSigner, parseNoteKey } from '@belay/core/ledger'
import { makeFolder } from '../disk/make-folder.ts'
import { syncFile } from '../store/sync-file.ts'

export function createSigner(directory: string, name: string): NoteSigner {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const signer = { ...createNoteKey(name, publicKey), privateKey }
  makeFolder(directory, 0o700)
  const privateFile = join(directory, `ledger-${signer.id}.pem`)
  writeFileSync(privateFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' })
  syncFile(privateFile)
  pinKey(directory, signer)
  return signer
}

/** From now on checkpoints of this key are trusted here. */
export function pinKey(directory: string, key: NoteKey): void {
  writeFileSync(join(directory, `ledger-${key.id}.pub`), `${formatNoteKey(key)}\n`, { mode: 0o644 })
}

/** The signer of a known key, or undefined where its private half is not on this machine or damaged. */
export function loadSigner(directory: string, key: NoteKey): NoteSigner | undefined {
  const file = join(directory, `ledger-${key.id}.pem`)
  if (!existsSync(file)) return undefined
  try {
    const privateKey = createPrivateKey(readFileSync(file))
    return createPublicKey(privateKey).equals(key.publicKey) ? { ...key, privateKey } : undefined
  } catch {
    // A damaged key is a lost one: the ledger goes on under a new key and says so.
    return undefined
  }
}

/** The public keys of this name that lie in the directory. */
export function listPinnedKeys(directory: string, name: string): readonly NoteKey[] {
  if (!existsSync(directory)) return []
  return readdirSync(directory)
    .filter(file => /^ledger-[0-9a-f]{8}\.pub$/.test(file))
    .map(file => parseNoteKey(readFileSync(join(directory, file), 'utf8')))
    .filter(key => key !== undefined)
    .filter(key => key.name === name)
}
