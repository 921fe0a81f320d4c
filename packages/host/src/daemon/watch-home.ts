// Whether the home is still the one that the daemon was started with. Removed and made anew, its spool, sockets and mirrors belong to another
// daemon. We hold the database open, so that no other file can have its identity.
import { fileIdentity } from '../disk/file-identity.ts'

export interface HomeWatch {
  /** Looks now, and tells once where it is not. */
  isOurs(): boolean
  stop(): void
}

const LOOK_MS = 1000

export function watchHome(database: string, onLost: () => void): HomeWatch {
  const identity = fileIdentity(database)
  let isLost = false
  const isOurs = (): boolean => {
    if (isLost) return false
    if (isSame(database, identity)) return true
    isLost = true
    clearInterval(timer)
    onLost()
    return false
  }
  const timer = setInterval(isOurs, LOOK_MS).unref()
  return { isOurs, stop: () => clearInterval(timer) }
}

/** What cannot be looked at for a moment is not gone. */
function isSame(database: string, identity: string): boolean {
  try {
    return fileIdentity(database) === identity
  } catch (error) {
    if (error instanceof Error && 'code' in error) return true
    throw error
  }
}
