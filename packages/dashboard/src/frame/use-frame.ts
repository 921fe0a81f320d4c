// What the strip and the rail show: read every two seconds, and at once where the stream says that it changed.
import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import type { Frame } from '#page/overview.ts'
import type { DaemonError } from '../daemon/daemon-error.ts'
import { useEvent, useStreamState } from '../daemon/stream.ts'
import { useForget, useVerb } from '../daemon/use-verb.ts'
import { setDaemonClock } from '../part/age.tsx'

const NOTHING = {}
const EVERY_MS = 2000
const SOON_MS = 100

export function useFrame(): UseQueryResult<Frame, DaemonError> {
  const { state } = useStreamState()
  const frame = useVerb('page.frame', NOTHING, { refetchInterval: state === 'live' ? EVERY_MS : false })
  const now = frame.data?.now
  useEffect(() => {
    if (now !== undefined) setDaemonClock(Date.parse(now), frame.dataUpdatedAt)
  }, [now, frame.dataUpdatedAt])
  return frame
}

/** Once for the page: requests and agents change at once, not at the next reading. */
export function useFreshness(): void {
  const forget = useForget()
  const [onApproval, onStatus] = useMemo(
    () => [onceIn(SOON_MS, () => forget('approvals.list', 'page.frame')), onceIn(SOON_MS, () => forget('fleet.list', 'page.frame'))],
    [forget],
  )
  useEvent('approval', onApproval)
  useEvent('agent.status', onStatus)
}

/** However often it is called: a fleet that changes all at once is read once. */
function onceIn(ms: number, run: () => void): () => void {
  let isDue = false
  return () => {
    if (isDue) return
    isDue = true
    setTimeout(() => {
      isDue = false
      run()
    }, ms)
  }
}
