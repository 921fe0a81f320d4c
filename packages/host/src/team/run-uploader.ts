// Sends the ledger to the hub, behind the place that the hub names, until it is stopped. The ledger is the buffer: whatever goes wrong, an
// entry is sent later, never lost, and the hub takes it once. Runs on a thread of its own: no call of an agent ever waits for it.
import { setTimeout as sleep } from 'node:timers/promises'
import { parseCheckpoint, parseNoteKey, readCosignature } from '@belay/core/ledger'
import { errorText } from '@belay/core/value'
import { replaceFile } from '../disk/write-file.ts'
import { acknowledgedFile } from '../ledger/acknowledged.ts'
import type { Store } from '../store/store.ts'
import { findAgents } from './find-agents.ts'
import { sayRefused } from './hub-client.ts'
import { createHubSession } from './hub-session.ts'
import { type Batch, createBatchMaker } from './make-batch.ts'
import { cosignedFile, type Membership } from './membership.ts'
import { FIRST_STATE, type UploadState, writeUploadState } from './upload-state.ts'

export interface UploaderOptions {
  readonly home: string
  readonly store: Store
  readonly membership: Membership
  readonly version: string
  readonly signal: AbortSignal
  /** Between two looks for new entries. */
  readonly lookMs?: number
  /** Between two tries while the hub is away. */
  readonly longestWaitMs?: number
}

const LOOK_MS = 1000
/** So often the hub hears of a machine that has nothing to send. */
const REPORT_MS = 30_000
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 60_000
/** Until the hub has told it. */
const PLACE_UNKNOWN = -1

export async function runUploader(options: UploaderOptions): Promise<void> {
  const { signal, lookMs = LOOK_MS, longestWaitMs = LONGEST_WAIT_MS } = options
  const uploader = createUploader(options)
  let waitMs = FIRST_WAIT_MS
  while (!signal.aborted) {
    const step = await uploader.step().catch(error => ({ isGood: false, isMore: false, error: errorText(error), pauseMs: 0 }))
    uploader.note(step.error)
    waitMs = step.isGood ? FIRST_WAIT_MS : Math.min(waitMs * 2, longestWaitMs)
    // Jitter: a thousand machines must not come back in the same moment.
    const pauseMs = step.isGood ? (step.isMore ? step.pauseMs : Math.max(lookMs, step.pauseMs)) : waitMs * (0.5 + Math.random())
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
  }
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

function createUploader({ home, store, membership, version, signal }: UploaderOptions) {
  const { kibPerSecond, upload } = membership
  const batches = createBatchMaker(store)
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
    place = seq
    if (upload !== 'none') replaceFile(acknowledgedFile(home), `${seq}\n`, 0o600)
    state = { ...state, acknowledged: seq }
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
    }
    const answer = await ask('POST /v1/upload', { ...batch, status })
    if (typeof answer === 'string') return { ...IDLE, isGood: false, error: answer }
    reportedAt = performance.now()
    const { seq } = answer.body
    if (answer.status === 422) {
      state = { ...state, isFork: true }
      return { ...IDLE, isGood: false, error: sayRefused(answer) }
    }
    state = { ...state, isFork: false }
    if ((answer.status === 200 || answer.status === 409) && typeof seq === 'number') setPlace(seq)
    if (answer.status === 409) return { ...IDLE, isMore: true, pauseMs: FIRST_WAIT_MS }
    if (answer.status !== 200) return { ...IDLE, isGood: false, error: sayRefused(answer) }
    const lie = keepCosigned(answer.body.cosigned)
    const pauseMs = (answer.sentBytes / (kibPerSecond * 1024)) * 1000
    return { isGood: lie === null, isMore: upload !== 'none' && place < batch.head.seq, error: lie, pauseMs }
  }
  /** Text: the hub has not signed what it says it has. */
  const keepCosigned = (note: unknown): string | null => {
    if (typeof note !== 'string') return null
    const end = note.indexOf('\n\n')
    const text = note.slice(0, end + 1)
    const hub = parseNoteKey(membership.hubKey)
    const lines = note.slice(end + 2).split('\n')
    if (!hub || !lines.some(line => readCosignature(text, line, hub) !== undefined)) return 'the hub gave a cosignature that is not its own'
    const size = parseCheckpoint(text)?.size ?? 0
    if (size > state.cosigned) replaceFile(cosignedFile(home), note, 0o600)
    state = { ...state, cosigned: Math.max(size, state.cosigned) }
    return null
  }
  return {
    step: async (): Promise<Step> => {
      if (place === PLACE_UNKNOWN) {
        const error = await findPlace()
        if (error !== null) return { ...IDLE, isGood: false, error }
      }
      const head = await batches.readHead()
      state = { ...state, head: head.seq, unseenTotal: state.unseenTotal + (await batches.countUnseen(countedTo, head.seq)) }
      countedTo = head.seq
      const isDue = performance.now() - reportedAt >= REPORT_MS
      const isNew = upload !== 'none' && head.seq !== place
      return isNew || isDue ? send(await batches.make(place, membership)) : IDLE
    },
    note: (error: string | null): void => {
      if (error !== null) lastError = error
      state = { ...state, error, ...(error === null && { lastOkAt: new Date().toISOString() }) }
      writeUploadState(home, state)
    },
  }
}
