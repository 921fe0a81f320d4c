// Where the daemon of one user can be found. A Unix socket's path may have 103 bytes at most; a home that is deeper than that gets its
// sockets in a short folder of the system's runtime directory, named by a hash of the home.
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

export interface RunPaths {
  /** 0700: the sockets and the token. */
  readonly folder: string
  /** HTTP/1.1. */
  readonly socket: string
  /** Newline JSON for shims. */
  readonly shimSocket: string
  /** 0600: what loopback TCP asks for. */
  readonly token: string
  /** pid, port, version of the running daemon. */
  readonly state: string
  readonly log: string
}

const MAX_SOCKET_BYTES = 103

export function runPaths(home: string, env: Readonly<Record<string, string | undefined>>): RunPaths {
  const folder = join(home, 'run')
  const sockets = Buffer.byteLength(join(folder, 'daemon.sock')) <= MAX_SOCKET_BYTES ? folder : shortFolder(home, env)
  return {
    folder: sockets,
    socket: join(sockets, 'daemon.sock'),
    shimSocket: join(sockets, 'shim.sock'),
    token: join(folder, 'token'),
    state: join(folder, 'daemon.json'),
    log: join(home, 'log', 'daemon.log'),
  }
}

function shortFolder(home: string, env: Readonly<Record<string, string | undefined>>): string {
  // Loaded only here: it takes longer to load than all the rest of a hook call.
  const { createHash } = process.getBuiltinModule('node:crypto')
  const name = createHash('sha256').update(home).digest('hex').slice(0, 12)
  const runtime = env.XDG_RUNTIME_DIR
  return runtime !== undefined && runtime.length < 60 ? join(runtime, `belay-${name}`) : join(tmpdir(), `belay-${userInfo().uid}-${name}`)
}
