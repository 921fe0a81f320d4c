// Calls for people, at every door. The dashboard's session is a person where its browser is one's; on the Unix socket the calling process is
// proved to be a person's; the token of the loopback door is for programs, and nothing they say makes persons of them. Every refusal, and every
// proof of a process, is an entry in the ledger.

import type { EntryDraft } from '@belay/core/ledger'
import { methodUser } from '@belay/core/match'
import type { Connection } from '../approval/page-peer.ts'
import type { JudgePage } from '../approval/page-standing.ts'
import type { Prove } from '../approval/prove-process.ts'
import type { RouteCall } from '../http/route.ts'
import type { Params } from '../rpc/param.ts'
import { RPC_PROVE, RPC_REFUSED, RpcError } from '../rpc/rpc.ts'

export interface PersonCall {
  readonly method: string
  readonly params: Params
  readonly caller: Pick<RouteCall, 'as' | 'request'>
  /** Said where it is not the method alone that is for people: `commit as human:ada`. */
  readonly what?: string
}

export interface People {
  /** Resolves where a person calls; throws an RpcError otherwise. */
  need(call: PersonCall): Promise<void>
}

export interface PeopleOptions {
  readonly prove: Prove
  readonly judgePage: JudgePage
  /** `human:<name>` of this machine. */
  readonly person: string
  record(draft: EntryDraft): Promise<unknown>
  /** A clock that nobody sets. */
  readonly now: () => number
}

/** Decided where the person reads what is decided. */
const AT_TERMINAL = new Set(['approvals.allow', 'approvals.deny'])
/** Refused ones; a person's script may do more. */
const MAX_REFUSED = 30
const MAX_GRANTED = 300
const MAX_PAGE = 600
const MINUTE_MS = 60_000

export function createPeople({ prove, judgePage, person, record, now }: PeopleOptions): People {
  const attempts = createAttempts(now)

  async function refuse({ method, what = method }: PersonCall, why: string, facts: Params): Promise<never> {
    const tries = attempts.count(String(facts.who))
    const isTooMany = tries > MAX_REFUSED
    const said = isTooMany ? `too many attempts: wait a minute, then run belay in a terminal of your own` : why
    // A flood is one entry.
    if (tries <= MAX_REFUSED + 1) {
      await record({
        actor: 'system:daemon',
        session: null,
        kind: 'person_check',
        policy: null,
        body: { what, granted: false, why: said, ...facts },
      })
    }
    throw new RpcError(RPC_REFUSED, said)
  }

  async function needOwnBrowser(call: PersonCall): Promise<void> {
    const { method, caller, what = method } = call
    // To look takes time: whoever asks again and again is not looked at again.
    if (attempts.count('page') > MAX_PAGE) return refuse(call, 'too many', { who: 'page' })
    const peer = await judgePage(connectionOf(caller.request))
    if (peer.kind === 'person') return
    const { why, standing, pid } = peer
    return refuse(
      call,
      `${what} is for people, and ${why}; use a browser that you started yourself, or run belay in a terminal of your own`,
      {
        who: standing,
        door: 'page',
        pid,
      },
    )
  }

  return {
    async need(call) {
      const { method, params, caller, what = method } = call
      const { as } = caller
      if (as === 'session') return needOwnBrowser(call)
      if (as !== 'socket') {
        const why = `${what} is for people, and the token is for programs: use the dashboard, or belay in a terminal of your own`
        return refuse(call, why, { who: as })
      }
      const proof = await prove({ method, what, params, needsTerminal: AT_TERMINAL.has(method) })
      if (proof.kind === 'refused') return refuse(call, proof.why, { who: proof.standing ?? 'unproved', claimed: claimedPid(params) })
      if (proof.kind === 'show') throw new RpcError(RPC_PROVE, `${what} is for people: show the code first`, { show: proof.code })
      if (attempts.count('granted') > MAX_GRANTED) return refuse(call, 'too many', { who: 'person', pid: proof.pid })
      const { pid, place } = proof
      await record({ actor: person, session: null, kind: 'person_check', policy: null, body: { what, granted: true, pid, place } })
    },
  }
}

/** Before a method runs. */
export async function admitCaller(people: People, method: string, params: Params, caller: RouteCall): Promise<void> {
  if (methodUser(method) !== 'person') return
  const { what } = params
  // The command line asks for its own verbs.
  const isOurs = method === 'daemon.person' && typeof what === 'string' && /^belay [\w -]{1,60}$/.test(what)
  await people.need({ method, params, caller, ...(isOurs ? { what } : {}) })
}

function connectionOf({ socket }: RouteCall['request']): Connection {
  const { remoteAddress = '', remotePort = 0, localAddress = '', localPort = 0 } = socket
  return { remoteAddress, remotePort, localAddress, localPort }
}

function claimedPid({ callerProof: proof }: Params): unknown {
  return typeof proof === 'object' && proof !== null && 'pid' in proof ? proof.pid : null
}

function createAttempts(now: () => number) {
  const windows = new Map<string, { readonly until: number; count: number }>()
  return {
    /** How often this kind of caller has tried in its minute, this time included. */
    count(who: string): number {
      const known = windows.get(who)
      const window = known !== undefined && known.until > now() ? known : { until: now() + MINUTE_MS, count: 0 }
      window.count += 1
      windows.set(who, window)
      return window.count
    },
  }
}
