// Which process calls, proved without the caller's word for it. The caller names a process; the daemon looks who is behind that process and
// gives out a code; only the process itself can make the code its name, where the daemon then reads it. The code is good once, for a few
// seconds, and for exactly the call it was given for: others can read it, and can do no more with it than repeat that call.
import { createHash, randomBytes } from 'node:crypto'
import { canonicalJson } from '@belay/core/ledger'
import { daemonProcesses, type FirstCall, findScript, findStanding, type ProcessView, refusalOf, type Standing } from './standing.ts'

export interface AskedCall {
  readonly method: string
  /** As people know it. */
  readonly what: string
  readonly params: Readonly<Record<string, unknown>>
  /** It is decided at a terminal: the process must read from one. */
  readonly needsTerminal: boolean
}

export type Proof =
  | { readonly kind: 'person'; readonly pid: number; readonly place: string }
  /** The process has to make this its name, and ask again. */
  | { readonly kind: 'show'; readonly code: string }
  | { readonly kind: 'refused'; readonly why: string; readonly standing: Standing['kind'] | null }

export type Prove = (call: AskedCall) => Proof | Promise<Proof>

/** What the system keeps of a process's name. */
const CODE_CHARACTERS = 15
const LIFE_MS = 10_000
const MAX_CODES = 200

interface Given {
  readonly pid: number
  readonly started: string
  readonly call: string
  readonly until: number
}

export interface ProveOptions {
  /** A clock that nobody sets. */
  readonly now: () => number
  readonly firstCall: FirstCall
  readonly view?: ProcessView
}

export function createProve({ now, firstCall, view = daemonProcesses }: ProveOptions): (call: AskedCall) => Promise<Proof> {
  const codes = new Map<string, Given>()
  return async call => {
    const { pid, code } = readProof(call.params.callerProof)
    if (pid === null) return refuse(`${call.what} is for people: run belay in a terminal of your own, or use the dashboard`)
    const standing = await findScript(findStanding(pid, view), firstCall, view)
    const seen = view.read(pid)
    const why = refusalOf(standing, call.what)
    if (why !== null || !('place' in standing) || seen === null) return { kind: 'refused', why: why ?? 'gone', standing: standing.kind }
    if (call.needsTerminal && !(standing.kind === 'person' && seen.hasTerminal && view.readsTerminal(pid))) {
      return refuse(`${call.what} is for people at a terminal, and process ${pid} does not read from one`, standing.kind)
    }
    const hash = hashOf(call)
    if (code === null) return { kind: 'show', code: give({ pid, started: seen.started, call: hash, until: now() + LIFE_MS }) }
    const given = codes.get(code)
    codes.delete(code)
    const isFresh = given !== undefined && given.until >= now() && given.call === hash
    if (!isFresh || given.pid !== pid || given.started !== seen.started)
      return refuse(
        `${call.what} is for people, and the code of process ${pid} was not given for this call, or is too old; run it again`,
        standing.kind,
      )
    if (!shows(seen, code))
      return refuse(
        `${call.what} is for people, and process ${pid} does not show the code it was given: it is not the one that calls`,
        standing.kind,
      )
    return { kind: 'person', pid, place: standing.place }
  }

  function give(given: Given): string {
    for (const [code, { until }] of codes) if (until < now() || codes.size >= MAX_CODES) codes.delete(code)
    const code = randomBytes(CODE_CHARACTERS).toString('base64url').replace(/^-/, '_').slice(0, CODE_CHARACTERS)
    codes.set(code, given)
    return code
  }
}

function refuse(why: string, standing: Standing['kind'] | null = null): Proof {
  return { kind: 'refused', why, standing }
}

/** Where the name is no more than the program, it stands in the arguments. */
function shows({ name, command }: { readonly name: string; readonly command: readonly string[] }, code: string): boolean {
  return name === code || command[0] === code
}

function hashOf({ method, params }: AskedCall): string {
  const { callerProof, ...rest } = params
  return createHash('sha256')
    .update(canonicalJson({ method, params: rest }))
    .digest('base64url')
}

function readProof(value: unknown): { readonly pid: number | null; readonly code: string | null } {
  const { pid, code } = typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
  return {
    pid: typeof pid === 'number' && Number.isInteger(pid) && pid > 0 ? pid : null,
    code: typeof code === 'string' ? code : null,
  }
}
