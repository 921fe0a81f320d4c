// Sends the ledger to the hub, behind the place that the hub names, until it is stopped. The ledger is the buffer: whatever goes wrong, an
// entry is sent later, never lost, and the hub takes it once. Runs on a thread of its own: no call of an agent ever waits for it.
import { setTimeout as sleep } from 'node:timers/promises'
import { parseCheckpoint, parseNote } from '@belay/core/ledger'
import { errorText } from '@belay/core/value'
import { replaceFile } from '../disk/write-file.ts'
import { acknowledgedFile } from '../ledger/acknowledged.ts'
import type { Store } from '../store/store.ts'
import { type CosignedNote, openCosignedNote } from './cosigned-note.ts'
import { findAgents } from './find-agents.ts'
import { sayRefused } from './hub-client.ts'
import { createHubDoubts, type HubDoubts } from './hub-doubts.ts'
import { createHubSession } from './hub-session.ts'
import { type Batch, createBatchMaker } from './make-batch.ts'
import type { Membership } from './membership.ts'
import { FIRST_STATE, type UploadState, writeUploadState } from './upload-state.ts'
import { readSeenRecord } from './watch-record.ts'

export interface UploaderOptions {
  readonly home: string
  readonly store: Store
  readonly membership: Membership
  readonly version: string
  readonly signal: AbortSignal
  readonly doubts?: HubDoubts
  /** Between two looks for new entries. */
  readonly lookMs?: number
  /** Between two tries while the hub is away. */
  readonly longestWaitMs?: number
  rest?(ms: number, signal: AbortSignal): Promise<void>
}

const LOOK_MS = 1000
/** So often the hub hears of a machine that has nothing to send. */
const REPORT_MS = 30_000
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 60_000
/** A hub that names another place more often, one after another, is not about to take anything. */
const MAX_TURNED_AWAY = 3
/** Until the hub has told it. */
const PLACE_UNKNOWN = -1

export async function runUploader(options: UploaderOptions): Promise<void> {
  const { signal, lookMs = LOOK_MS, longestWaitMs = LONGEST_WAIT_MS, rest = sleepUntil } = options
  const uploader = await createUploader(options)
  let waitMs = FIRST_WAIT_MS
  while (!signal.aborted) {
    const step = await uploader.step().catch(error => ({ isGood: false, isMore: false, error: errorText(error), pauseMs: 0 }))
    uploader.note(step.error)
    waitMs = step.isGood ? FIRST_WAIT_MS : Math.min(waitMs * 2, longestWaitMs)
    // Jitter: a thousand machines must not come back in the same moment.
    const pauseMs = step.isGood ? (step.isMore ? step.pauseMs : Math.max(lookMs, step.pauseMs)) : waitMs * (0.5 + Math.random())
    await rest(pauseMs, signal)
  }
}

/** A hub signs for what it says that it holds, as soon as it is shown a checkpoint over it. */
function findUnsigned({ checkpoint }: Batch, cosigned: number): string | null {
  const size = parseCheckpoint(parseNote(checkpoint ?? '')?.text ?? '')?.size ?? 0
  return size > cosigned ? `the hub says that it holds ${size} entries of this ledger, and has not cosigned the checkpoint over them` : null
}

/** Ends early where the upload is stopped. */
async function sleepUntil(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined)
}

interface Step {
  readonly isGood: boolean
  /** There is more to send at once. */
  readonly isMore: boolean
  readonly error: string | null
  /** Owed to the limit on bytes. */
  readonly pauseMs: number
}

const IDLE: Step = { isGood: true, isMore: false, error: null, pauseMs: 0 }

async function createUploader({ home, store, membership, version, signal, doubts = createHubDoubts(() => undefined) }: UploaderOptions) {
  const { kibPerSecond, upload } = membership
  const batches = createBatchMaker(store)
  const cosigned: CosignedNote = await openCosignedNote({ home, membership, hasCheckpoint: batches.hasCheckpoint })
  let turnedAway = 0
  let acknowledged: number | undefined
  let place = PLACE_UNKNOWN
  let state: UploadState = FIRST_STATE
  let countedTo = 0
  /** The last thing that went wrong, also when it goes well again. */
  let lastError: string | null = null
  let reportedAt = Number.NEGATIVE_INFINITY

  let found: ReturnType<typeof findAgents> = []
  let lookedAt = Number.NEGATIVE_INFINITY
  const lookForAgents = (): typeof found => {
    if (performance.now() - lookedAt < REPORT_MS) return found
    lookedAt = performance.now()
    found = findAgents(home, process.env.PATH ?? '')
    return found
  }
  const ask = createHubSession(home, membership, signal)
  const findPlace = async (): Promise<string | null> => {
    const answer = await ask('GET /v1/chain')
    if (typeof answer === 'string') return answer
    if (answer.status !== 200 || typeof answer.body.seq !== 'number') return sayRefused(answer)
    setPlace(answer.body.seq)
    return null
  }
  const setPlace = (seq: number): void => {
    // What it has cosigned it has had.
    if (seq < cosigned.size() && (place === PLACE_UNKNOWN || place >= cosigned.size()))
      doubts.add(`the hub holds ${seq} entries of this ledger, and has cosigned ${cosigned.size()}: it was put back, or dropped some`)
    place = seq
  }
  /** A hub that only says that it holds something has not signed it: nothing is dropped for that. */
  const keepAcknowledged = (): void => {
    const held = Math.min(place, cosigned.size())
    if (upload !== 'none' && held !== acknowledged) replaceFile(acknowledgedFile(home), `${held}\n`, 0o600)
    acknowledged = held
    state = { ...state, acknowledged: Math.min(place, state.head), cosigned: cosigned.size() }
  }
  const send = async (batch: Batch): Promise<Step> => {
    const status = {
      version,
      platform: process.platform,
      node: process.version,
      upload,
      unseenTotal: state.unseenTotal,
      now: Date.now(),
      // What this very batch leaves behind.
      spoolDepth: Math.max(0, batch.head.seq - batch.from - batch.entries.length),
      oldestUnsentAt: await batches.readTime(batch.from + batch.entries.length + 1),
      agents: await batches.listAgents(),
      agentsFound: lookForAgents(),
      lastError,
      // So that the hub's own record cannot be put back unseen.
      hubRecord: readSeenRecord(home),
    }
    const answer = await ask('POST /v1/upload', { ...batch, status })
    // Without an answer it may have been taken: then another place is right.
    if (typeof answer === 'string' || answer.status !== 409) turnedAway = 0
    if (typeof answer === 'string') return { ...IDLE, isGood: false, error: answer }
    reportedAt = performance.now()
    if (answer.status === 422) {
      state = { ...state, isFork: true }
      return { ...IDLE, isGood: false, error: sayRefused(answer) }
    }
    state = { ...state, isFork: false }
    const { seq } = answer.body
    if (answer.status === 409 && typeof seq === 'number') return turnTo(seq, batch)
    if (answer.status !== 200) return { ...IDLE, isGood: false, error: sayRefused(answer) }
    const sent = batch.from + batch.entries.length
    if (seq !== sent || sent > batch.head.seq)
      return doubt(`the hub says that it holds ${seq ?? 'no'} entries of this ledger, which has ${batch.head.seq} and has sent ${sent}`)
    const why = (await cosigned.keep(answer.body.cosigned)) ?? findUnsigned(batch, cosigned.size())
    setPlace(sent)
    keepAcknowledged()
    if (why !== null) return doubt(why)
    const pauseMs = (answer.sentBytes / (kibPerSecond * 1024)) * 1000
    return { isGood: true, isMore: upload !== 'none' && place < batch.head.seq, error: null, pauseMs }
  }
  /** It has more of this ledger than this machine knew, or lost some. */
  const turnTo = (seq: number, { from }: Batch): Step => {
    turnedAway++
    setPlace(seq)
    keepAcknowledged()
    if (seq !== from && turnedAway <= MAX_TURNED_AWAY) return { ...IDLE, isMore: true, pauseMs: FIRST_WAIT_MS }
    return doubt('the hub takes nothing: it names another place each time')
  }
  const doubt = (why: string): Step => {
    doubts.add(why)
    return { ...IDLE, isGood: false, error: why }
  }
  return {
    step: async (): Promise<Step> => {
      const head = await batches.readHead()
      state = { ...state, head: head.seq, unseenTotal: state.unseenTotal + (await batches.countUnseen(countedTo, head.seq)) }
      countedTo = head.seq
      if (place === PLACE_UNKNOWN) {
        const error = await findPlace()
        if (error !== null) return { ...IDLE, isGood: false, error }
        keepAcknowledged()
      }
      const isDue = performance.now() - reportedAt >= REPORT_MS
      const isNew = upload !== 'none' && head.seq !== place
      return isNew || isDue ? send(await batches.make(place, membership)) : IDLE
    },
    note: (error: string | null): void => {
      if (error !== null) lastError = error
      state = { ...state, error, doubt: doubts.last(), ...(error === null && { lastOkAt: new Date().toISOString() }) }
      writeUploadState(home, state)
    },
  }
}
