// Whether what clients send to the daemon reaches nobody else: its folder of sockets is ours alone.
import { whyNotOurSocket } from '../disk/own-folder.ts'
import type { Finding } from '../install/finding.ts'
import type { RunPaths } from '../wire/run-paths.ts'

export function checkSocket({ shimSocket, socket, folder }: RunPaths): Finding {
  const about = { agent: null, check: 'socket' }
  const why = whyNotOurSocket(shimSocket) ?? whyNotOurSocket(socket)
  if (why === null) return { ...about, state: 'ok', message: folder }
  return {
    ...about,
    state: 'fail',
    message: `${why}; until then each call is judged without the daemon`,
    remedy: 'then: belay up --detach',
  }
}
