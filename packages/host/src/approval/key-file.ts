// A secret of this machine, made on first use, readable by its owner only.
import { createHmac, randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalJson } from '@belay/core/ledger'
import { makeFolder } from '../disk/make-folder.ts'

const BYTES = 32

export function readKeyFile(home: string, name: string): Buffer {
  const folder = join(home, 'keys')
  const file = join(folder, name)
  try {
    const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'hex')
    if (key.length === BYTES) return key
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
  makeFolder(folder, 0o700)
  const key = randomBytes(BYTES)
  writeFileSync(file, `${key.toString('hex')}\n`, { mode: 0o600 })
  return key
}

/** Only who has the key can make it. */
export function keyedHash(key: Uint8Array, value: Readonly<Record<string, unknown>>): string {
  return createHmac('sha256', key).update(canonicalJson(value)).digest('hex')
}
