// Whether a folder of sockets, or a socket in it, is ours alone, as sshd and sudo ask of theirs. Another user of the machine may have made it
// first, in a temp directory that everybody shares: what is sent there is his. Asked before a daemon listens and before a client connects;
// shim.c and shim.pl ask the same.

import { closeSync, constants, fchmodSync, fstatSync, lstatSync, mkdirSync, openSync, type Stats, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { errorText } from '@belay/core/value'
import { makeFolder } from './make-folder.ts'

const OTHERS = 0o077
const WRITABLE_BY_OTHERS = 0o022
const STICKY = 0o1000
const ELSEWHERE = 'remove it, or set XDG_RUNTIME_DIR to a folder of your own'

/** Why nothing may be sent to this socket; null: it is ours, or not there. */
export function whyNotOurSocket(path: string): string | null {
  const folder = dirname(path)
  const found = lstatSync(folder, { throwIfNoEntry: false })
  if (found === undefined) return null
  const why = whyNotOurs(folder, found)
  if (why !== null) return why
  const socket = lstatSync(path, { throwIfNoEntry: false })
  if (socket === undefined) return null
  if (!socket.isSocket()) return `${path} is not a socket; remove it`
  return socket.uid === ownId() ? null : `${path} belongs to user ${socket.uid}; remove it`
}

/** Makes the folder of a socket, or takes the one that is there; gives why it cannot be used. */
export function takeOwnFolder(folder: string): string | null {
  makeFolder(dirname(folder), 0o700)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  let file: number
  try {
    file = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  } catch (error) {
    return whyNotOurs(folder, lstatSync(folder)) ?? errorText(error)
  }
  try {
    const found = fstatSync(file)
    // Others could have put something into it already; under our own home there are no others.
    if (found.uid === ownId() && !isShared(statSync(dirname(folder)))) fchmodSync(file, 0o700)
    return whyNotOurs(folder, fstatSync(file))
  } finally {
    closeSync(file)
  }
}

function whyNotOurs(folder: string, found: Stats): string | null {
  if (found.isSymbolicLink()) return `${folder} is a link, and somebody else may have made it; ${ELSEWHERE}`
  if (!found.isDirectory()) return `${folder} is not a folder; ${ELSEWHERE}`
  if (found.uid !== ownId()) return `${folder} belongs to user ${found.uid}, who would read what is sent there; ${ELSEWHERE}`
  if ((found.mode & OTHERS) !== 0)
    return `${folder} is open to other users (mode ${(found.mode & 0o777).toString(8)}); end what uses it and remove it, or run: chmod 700 ${folder}`
  const above = statSync(dirname(folder))
  if (above.uid !== ownId() && above.uid !== 0)
    return `${dirname(folder)} belongs to user ${above.uid}, who could exchange what is in it; ${ELSEWHERE}`
  return (above.mode & WRITABLE_BY_OTHERS) === 0 || isShared(above)
    ? null
    : `other users can exchange what is in ${dirname(folder)}; run: chmod go-w ${dirname(folder)}`
}

/** Everybody may make files there, and only remove his own. */
function isShared({ mode }: Stats): boolean {
  return (mode & STICKY) !== 0
}

/** Systems without user ids have no other users here. */
function ownId(): number {
  return process.geteuid?.() ?? 0
}
