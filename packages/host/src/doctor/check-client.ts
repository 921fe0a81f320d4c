// Whether the client that the hook lines start is there, is the one that was built, and is the one that this version builds.
import { findLostFallback, isCurrentShim, readShim, shimPath } from '../install/choose-shim.ts'
import type { Finding } from '../install/finding.ts'
import { listRecords } from '../install/install-record.ts'
import { RENEW } from '../install/renew.ts'

export function checkClient(home: string, env: Readonly<Record<string, string | undefined>>): Finding {
  const about = { agent: null, check: 'client' }
  const shim = readShim(home)
  if (shim === null) {
    const message = `${shimPath(home)} is not there, or not as it was built`
    // Before the first installation there is none.
    return listRecords(home).length === 0
      ? { ...about, state: 'note', message, remedy: 'belay install AGENT builds it' }
      : { ...about, state: 'fail', message: `${message}: no tool runs, or nothing is judged`, remedy: RENEW }
  }
  const lost = findLostFallback(home)
  if (lost !== null) return { ...about, state: 'fail', message: `without the daemon it needs ${lost}, which is gone`, remedy: RENEW }
  if (!isCurrentShim(home, env))
    return { ...about, state: 'fail', message: `${shim.path} is of another version, or for another Node`, remedy: RENEW }
  if (shim.kind === 'native') return { ...about, state: 'ok', message: `${shim.path}, native` }
  return {
    ...about,
    state: 'note',
    message: `${shim.path}, ${shim.kind}: ${shim.why}`,
    remedy: 'with a C compiler `belay install` makes a faster one',
  }
}
