// A witness signs a checkpoint beside the log's own key (c2sp.org/tlog-cosignature): at which time it saw this tree, and that every tree it
// signed before was an earlier state of it. The bytes signed are no checkpoint, so no cosignature can be taken for a log's own.
import { hash, sign, verify } from 'node:crypto'
import type { NoteKey, NoteSigner } from './note.ts'

const COSIGNATURE_V1 = 0x04
const TIME_BYTES = 8
const ID_BYTES = 4
const SIGNATURE_BYTES = 64
const LINE = /^\u2014 (\S+) ([A-Za-z0-9+/]+={0,2})$/

/** `text`: of the checkpoint, without its signatures. Gives one signature line. */
export function cosign(text: string, signer: NoteSigner, timeMs: number): string {
  const seconds = Math.floor(timeMs / 1000)
  const time = Buffer.alloc(TIME_BYTES)
  time.writeBigUInt64BE(BigInt(seconds))
  const signature = sign(null, Buffer.from(signedText(text, seconds)), signer.privateKey)
  return `\u2014 ${signer.name} ${Buffer.concat([cosignerId(signer), time, signature]).toString('base64')}\n`
}

/** When `key` cosigned this text, in milliseconds; undefined: the line is not its signature. */
export function readCosignature(text: string, line: string, key: NoteKey): number | undefined {
  const [, name, encoded] = LINE.exec(line.trimEnd()) ?? []
  if (name !== key.name || encoded === undefined) return undefined
  const bytes = Buffer.from(encoded, 'base64')
  if (bytes.length !== ID_BYTES + TIME_BYTES + SIGNATURE_BYTES || !bytes.subarray(0, ID_BYTES).equals(cosignerId(key))) return undefined
  const seconds = Number(bytes.readBigUInt64BE(ID_BYTES))
  const isGood = verify(null, Buffer.from(signedText(text, seconds)), key.publicKey, bytes.subarray(ID_BYTES + TIME_BYTES))
  return isGood ? seconds * 1000 : undefined
}

function signedText(text: string, seconds: number): string {
  return `cosignature/v1\ntime ${seconds}\n${text}`
}

function cosignerId({ name, publicKey }: NoteKey): Buffer {
  const { x = '' } = publicKey.export({ format: 'jwk' })
  const preimage = Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(COSIGNATURE_V1), Buffer.from(x, 'base64url')])
  return hash('sha256', preimage, 'buffer').subarray(0, ID_BYTES)
}
