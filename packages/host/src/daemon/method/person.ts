// Verbs for people. The dashboard's session is a person; on the Unix socket the command has looked for agents among its ancestors; the token
// of the loopback door is for programs, and nothing they say makes persons of them.
import type { RouteCall } from '../http/route.ts'
import { RPC_REFUSED, RpcError } from '../rpc.ts'

export function refuseToken({ as }: Pick<RouteCall, 'as'>, what: string): void {
  if (as !== 'token') return
  throw new RpcError(RPC_REFUSED, `${what} is for people, and the token is for programs: use the dashboard, or belay in a terminal`)
}
