// The hub's own record, watched in turn: each state of it that this machine is shown must be a later state of the one before. What was seen is
// told to the hub with every upload, so that `belay-hub verify` finds a record that was cut off or put back.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Checkpoint, findSigners, HASH_BYTES, isConsistent, parseCheckpoint, parseNote, parseNoteKey } from '@belay/core/ledger'
import { errorText } from '@belay/core/value'
import { replaceFile } from '../disk/write-file.ts'
import type { HubDoubts } from './hub-doubts.ts'
import type { Ask } from './hub-session.ts'
import type { Membership } from './membership.ts'

export interface RecordWatchOptions {
  readonly home: string
  readonly membership: Pick<Membership, 'hubKey'>
  readonly ask: Ask
  readonly doubts: Pick<HubDoubts, 'add'>
  readonly signal: AbortSignal
}

const AGAIN_MS = 10 * 60_000
const RETRY_MS = 30_000

const seenFile = (home: string): string => join(home, 'team', 'hub.note')

/** The last checkpoint of the hub's own record that this machine has checked. */
export function readSeenRecord(home: string): string | null {
  return existsSync(seenFile(home)) ? readFileSync(seenFile(home), 'utf8') : null
}

export async function watchRecord({ home, membership, ask, doubts, signal }: RecordWatchOptions): Promise<void> {
  while (!signal.aborted) {
    const isHeard = await lookOnce({ home, membership, ask, doubts })
    // Jitter: a thousand machines must not ask in the same moment.
    await sleep((isHeard ? AGAIN_MS : RETRY_MS) * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined)
  }
}

async function lookOnce({ home, membership, ask, doubts }: Omit<RecordWatchOptions, 'signal'>): Promise<boolean> {
  const seen = readSeenRecord(home)
  // Of another hub, or damaged: nothing is known of this one.
  const known = seen === null ? undefined : readRecord(seen, membership.hubKey)
  const answer = await ask(`GET /v1/record?size=${known?.size ?? 0}`).catch(error => errorText(error))
  if (typeof answer === 'string' || (answer.status !== 200 && answer.status !== 404)) return false
  const why =
    answer.status === 404 ? known && 'the hub does not show its record any more' : findBreak(known, answer.body, membership.hubKey)
  if (why !== undefined) doubts.add(why)
  else if (answer.status === 200 && answer.body.checkpoint !== seen) replaceFile(seenFile(home), String(answer.body.checkpoint), 0o600)
  return true
}

/** Undefined: what the hub shows is a later state of what this machine knows, or the first that it sees. */
export function findBreak(
  known: Checkpoint | undefined,
  { checkpoint, proof }: Readonly<Record<string, unknown>>,
  hubKey: string,
): string | undefined {
  const shown = readRecord(String(checkpoint), hubKey)
  if (!shown) return 'the hub shows a record that is not signed by its key'
  if (!known) return undefined
  if (shown.size < known.size) return `the record of the hub has ${shown.size} acts, and had ${known.size}: some were cut off`
  const hashes = Array.isArray(proof) ? proof.map(text => Buffer.from(String(text), 'hex')) : []
  if (hashes.every(hash => hash.length === HASH_BYTES) && isConsistent(known, shown, hashes)) return undefined
  return `the record of the hub is not the one that it was: one of its first ${known.size} acts was changed or taken out`
}

function readRecord(text: string, hubKey: string): Checkpoint | undefined {
  const hub = parseNoteKey(hubKey)
  const note = parseNote(text)
  const checkpoint = parseCheckpoint(note?.text ?? '')
  if (!hub || !note || checkpoint?.origin !== hub.name || findSigners(note, [hub]).length === 0) return undefined
  return checkpoint
}
