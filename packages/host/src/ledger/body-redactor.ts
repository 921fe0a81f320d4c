// The redactor of this user: secrets are replaced under a key of this machine, so that equal ones can be told to be equal here and
// nowhere else.
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createRedactor, type RedactableJson, type Redactor } from '@belay/core/ledger'
import { makeFolder } from '../disk/make-folder.ts'

type Body = Readonly<Record<string, unknown>>

const KEY_BYTES = 32

export function openRedactor(home: string): Redactor {
  return createRedactor({ key: readKey(home) })
}

export function createBodyRedactor(home: string): (body: Body) => Body {
  const { redactValue } = openRedactor(home)
  // Bodies are JSON by the time they are recorded; what is not (undefined, functions) would be dropped there anyway.
  return body => redactValue(JSON.parse(JSON.stringify(body)) as RedactableJson) as Body
}

function readKey(home: string): Uint8Array {
  const folder = join(home, 'keys')
  const file = join(folder, 'redaction.key')
  if (existsSync(file)) {
    const key = readFileSync(file)
    if (key.length === KEY_BYTES) return key
  }
  makeFolder(folder, 0o700)
  const key = randomBytes(KEY_BYTES)
  writeFileSync(file, key, { mode: 0o600 })
  return key
}
