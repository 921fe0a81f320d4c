// daemon.pause | daemon.resume: a person's switch, recorded.

import type { EntryDraft } from '@belay/core/ledger'
import { parseDuration } from '@belay/core/policy'
import { needText, type Params, readText } from '../rpc/param.ts'
import { RPC_INVALID_PARAMS, RpcError } from '../rpc/rpc.ts'
import type { Pause } from '../state/pause.ts'
import { timeText } from '../state/state.ts'

export interface PauseOptions {
  readonly pause: Pause
  readonly person: string
  record(draft: EntryDraft): Promise<unknown>
  publish(type: string, data: unknown): void
  readonly now: () => number
}

const MAX_MS = 24 * 60 * 60 * 1000

export function createPauseMethods(options: PauseOptions) {
  return [
    ['daemon.pause', (params: Params) => start(options, params)],
    ['daemon.resume', () => end(options)],
  ] as const
}

async function start({ pause, person, record, publish, now }: PauseOptions, params: Params) {
  const text = needText(params, 'duration')
  const duration = parseDuration(text)
  if (duration === null || duration <= 0) throw new RpcError(RPC_INVALID_PARAMS, `${text} is no duration; write 10m, 2h or 30s`)
  if (duration > MAX_MS)
    throw new RpcError(RPC_INVALID_PARAMS, 'a pause is 24 hours at most; without Belay altogether: belay uninstall AGENT')
  const state = { until: now() + duration, by: person, reason: readText(params, 'reason') }
  const until = timeText(state.until)
  await record({ actor: person, session: null, kind: 'pause', policy: null, body: { until, reason: state.reason } })
  pause.set(state)
  publish('daemon.paused', { until, by: person })
  return { paused: true, until, by: person }
}

async function end({ pause, person, record, publish }: PauseOptions) {
  if (pause.current() === null) return { paused: false }
  await record({ actor: person, session: null, kind: 'resume', policy: null, body: {} })
  pause.end()
  publish('daemon.resumed', { by: person })
  return { paused: false }
}
