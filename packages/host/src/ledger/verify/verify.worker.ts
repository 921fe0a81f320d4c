// The thread that range-runner.ts starts: checks the ranges it is sent.
import { workerData } from 'node:worker_threads'
import { parseNoteKey } from '@belay/core/ledger'
import { serveRanges } from '../../store/serve-ranges.ts'
import type { WorkerStart } from './range-runner.ts'
import { createRangeCheck } from './verify-range.ts'

const { keys } = workerData as WorkerStart
const noteKeys = keys.map(parseNoteKey).filter(key => key !== undefined)
serveRanges(store => createRangeCheck(store, noteKeys))
