// The thread that talks to the hub: opens the store for itself, for reading only.
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { openSqliteStore } from '../store/open-sqlite-store.ts'
import { readMembership } from './membership.ts'
import { runTeam } from './run-team.ts'
import type { ToTeam } from './team-message.ts'
import type { UploadStart } from './watch-team.ts'

async function runUntilTold({ home, version }: UploadStart): Promise<void> {
  const ending = new AbortController()
  const membership = readMembership(home)
  let hear: (message: ToTeam) => void = () => undefined
  parentPort?.on('message', (message: ToTeam) => {
    if (message.kind === 'stop') ending.abort()
    else hear(message)
  })
  if (membership) {
    const store = await openSqliteStore({ file: join(home, 'belay.db'), readOnly: true })
    const tell = (message: unknown) => parentPort?.postMessage(message)
    const team = runTeam({ home, store, membership, version, signal: ending.signal, tell })
    hear = team.hear
    await team.ended
    await store.close()
  }
  parentPort?.close()
}

void runUntilTold(workerData as UploadStart)
