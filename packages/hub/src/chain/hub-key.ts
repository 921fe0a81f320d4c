// Two keys. The root of a team endorses others and stays with its administrator; the hub's own key signs its record and cosigns checkpoints.
import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createNoteKey, type NoteSigner } from '@belay/core/ledger'

/** Fails where the file exists: a key is never written over. */
export function createKeyFile(file: string, kind: 'team' | 'hub'): NoteSigner {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const name = `belay.${kind}/${randomBytes(8).toString('hex')}`
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' })
  writeFileSync(file, `${name}\n${pem}`, { mode: 0o600, flag: 'wx' })
  return { ...createNoteKey(name, publicKey), privateKey }
}

export function readKeyFile(file: string): NoteSigner {
  const text = readFileSync(file, 'utf8')
  const end = text.indexOf('\n')
  const privateKey = createPrivateKey(text.slice(end + 1))
  return { ...createNoteKey(text.slice(0, end), createPublicKey(privateKey)), privateKey }
}
