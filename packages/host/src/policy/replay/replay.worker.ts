// The thread that replay-ledger.ts starts: judges the ranges it is sent.
import { workerData } from 'node:worker_threads'
import { serveRanges } from '../../store/serve-ranges.ts'
import type { WorkerStart } from './replay-ledger.ts'
import { createReplayRange } from './replay-range.ts'

const { request } = workerData as WorkerStart
serveRanges(store => createReplayRange(store, request))
