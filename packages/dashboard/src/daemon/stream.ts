// The stream of this page. Every query is read again after a gap and after the daemon came back.
import { useEffect, useSyncExternalStore } from 'react'
import { call } from './call.ts'
import { createStream, type StreamStatus, type StreamType } from './create-stream.ts'
import { openEventSource } from './event-source.ts'
import { pageHeaders } from './page-key.ts'
import { queryClient } from './query-client.ts'
import { hasSessionEnded, onSessionEnd } from './session.ts'

const stream = createStream({
  open: url => openEventSource(url, pageHeaders()),
  now: Date.now,
  later: (run, ms) => void setTimeout(run, ms),
  async isWelcome() {
    await call('page.frame', {}).catch(() => undefined)
    return !hasSessionEnded()
  },
})

export function startStream(): void {
  stream.start()
  onSessionEnd(stream.end)
  const readAgain = () => void queryClient.invalidateQueries()
  stream.onEvent('gap', readAgain)
  let wasLive = false
  stream.onStatus(() => {
    if (stream.status().state !== 'live') return
    if (wasLive) readAgain()
    wasLive = true
  })
}

/** Until the undo is called. `data` is what the contract says of the type. */
export function onEvent(type: StreamType, listener: (data: unknown) => void): () => void {
  return stream.onEvent(type, listener)
}

/** The listener should not change with every render. */
export function useEvent(type: StreamType, listener: (data: unknown) => void): void {
  useEffect(() => stream.onEvent(type, listener), [type, listener])
}

export function useStreamState(): StreamStatus {
  return useSyncExternalStore(stream.onStatus, stream.status)
}
