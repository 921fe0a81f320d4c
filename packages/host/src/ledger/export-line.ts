// One entry as a line of an export, and back. A line holds everything that proves it: all columns, and the blobs beside them.
import { canonicalJson, type Entry, encodeLine, findBlobReferences, readBodyHead } from '@belay/core/ledger'
import type { Store } from '../store/store.ts'

/** By hash; null: trimmed. */
export type LineBlobs = Readonly<Record<string, { readonly salt: string; readonly content: string } | null>>

export interface ExportLine {
  readonly entry: Entry
  readonly blobs: LineBlobs
}

/** An entry of which only its hash is left. */
export interface DroppedLine {
  readonly seq: number
  /** Its hash. */
  readonly dropped: string
}

export function encodeDroppedLine({ seq, dropped }: DroppedLine): string {
  return `{"dropped":"${dropped}","seq":${seq}}`
}

export async function encodeExportLine(store: Store, entry: Entry): Promise<string> {
  return encodeLine(entry, await findBlobs(store, entry))
}

/** The large values of an entry. */
export async function findBlobs(store: Store, { seq, body }: Entry): Promise<LineBlobs> {
  return findBlobReferences(body).length === 0 ? {} : readBlobs(store, seq)
}

export function decodeExportLine(line: string): ExportLine | DroppedLine | undefined {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const { dropped } = value as Record<string, unknown>
  if (isText(dropped)) return readDroppedLine(value as Record<string, unknown>, dropped)
  const { seq, id, time, actor, session, kind, policy, body, bodyHash, prev, hash, salt = null, blobs } = value as Record<string, unknown>
  const texts = [id, time, actor, kind, bodyHash, prev, hash]
  const nullable = [session, policy, salt]
  if (!Number.isSafeInteger(seq) || !texts.every(isText) || !nullable.every(text => text === null || isText(text))) return undefined
  if (typeof body !== 'object' || body === null) return undefined
  const entry = { seq, id, time, actor, session, kind, policy, body: canonicalJson(body), bodyHash, prev, hash, salt } as Entry
  if (salt !== null && !saysOfBody(value as Record<string, unknown>, entry.body)) return undefined
  return { entry, blobs: isBlobs(blobs) ? blobs : {} }
}

/** In the second format the head of an entry repeats what its body says. */
function saysOfBody(line: Readonly<Record<string, unknown>>, body: string): boolean {
  return line.format === 2 && Object.entries(readBodyHead(body)).every(([name, text]) => line[name] === text)
}

function readDroppedLine({ seq }: Record<string, unknown>, dropped: string): DroppedLine | undefined {
  return Number.isSafeInteger(seq) && /^[0-9a-f]{64}$/.test(dropped) ? { seq: seq as number, dropped } : undefined
}

async function readBlobs(store: Store, seq: number): Promise<LineBlobs> {
  const rows = await store.db.selectFrom('blobs').select(['hash', 'salt', 'content']).where('seq', '=', seq).execute()
  return Object.fromEntries(
    rows.map(({ hash, salt, content }) => [
      hash,
      salt && content ? { salt: Buffer.from(salt).toString('base64'), content: Buffer.from(content).toString() } : null,
    ]),
  )
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isBlobs(value: unknown): value is LineBlobs {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.values(value).every(blob => blob === null || (isText(blob?.salt) && isText(blob?.content)))
}
