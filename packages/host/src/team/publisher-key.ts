// The key with which a person publishes policies. It never leaves this machine; the team's root endorses its public half.
import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createNoteKey, type NoteSigner } from '@belay/core/ledger'
import { makeFolder } from '../disk/make-folder.ts'

export const publisherKeyFile = (home: string): string => join(home, 'keys', 'publisher.pem')

export function findPublisherKey(home: string): NoteSigner | undefined {
  const file = publisherKeyFile(home)
  if (!existsSync(file)) return undefined
  const text = readFileSync(file, 'utf8')
  const end = text.indexOf('\n')
  const privateKey = createPrivateKey(text.slice(end + 1))
  return { ...createNoteKey(text.slice(0, end), createPublicKey(privateKey)), privateKey }
}

/** The one that is there, else a new one. */
export function makePublisherKey(home: string): NoteSigner {
  const known = findPublisherKey(home)
  if (known) return known
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const name = `belay.publisher/${randomBytes(8).toString('hex')}`
  makeFolder(dirname(publisherKeyFile(home)), 0o700)
  writeFileSync(publisherKeyFile(home), `${name}\n${privateKey.export({ type: 'pkcs8', format: 'pem' })}`, { mode: 0o600, flag: 'wx' })
  return { ...createNoteKey(name, publicKey), privateKey }
}
