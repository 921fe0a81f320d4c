// This machine as the hub knows it: logs in when it must, and again when its token is over.
import { callHub, type HubAnswer, logIn } from './hub-client.ts'
import { type Membership, readLoginKey } from './membership.ts'

/** Text: why there is no answer. */
export type Ask = (request: string, body?: unknown) => Promise<HubAnswer | string>

/** Shorter than the quarter of an hour that it is good for. */
const TOKEN_MS = 14 * 60_000

export function createHubSession(home: string, membership: Membership, signal: AbortSignal): Ask {
  const { machine } = membership
  const key = readLoginKey(home, membership)
  let token: string | undefined
  let since = 0
  return async (request, body) => {
    // By either clock: a token that is over is never shown, so that the hub can tell who does.
    if (Math.abs(Date.now() - since) > TOKEN_MS) token = undefined
    if (token === undefined) {
      const login = await logIn(membership, machine, key, signal)
      if (typeof login === 'string') return login
      token = login.token
      since = Date.now()
    }
    const answer = await callHub({ hub: membership, request, token, signal, ...(body !== undefined && { body }) })
    if (answer.status === 401) token = undefined
    return answer
  }
}
