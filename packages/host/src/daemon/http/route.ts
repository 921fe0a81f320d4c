// A table of routes: method, path with {parameters}, handler. A dozen routes need no framework.
import type { IncomingMessage, ServerResponse } from 'node:http'

export interface RouteCall {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly url: URL
  readonly parameters: Readonly<Record<string, string>>
  /** Who was let in: the socket's owner, a holder of the token, a person's page, or anyone (open routes). */
  readonly as: 'socket' | 'token' | 'session' | 'anyone'
}

export interface Route {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** Needs no secret on loopback. */
  readonly open?: boolean
  /** What it is for; shown in /openapi.json. */
  readonly summary: string
  run(call: RouteCall): Promise<void> | void
}

export type FoundRoute =
  | { readonly kind: 'found'; readonly route: Route; readonly parameters: Readonly<Record<string, string>> }
  | { readonly kind: 'wrong-method'; readonly allowed: readonly string[] }
  | { readonly kind: 'unknown' }

export function findRoute(routes: readonly Route[], method: string, path: string): FoundRoute {
  const allowed: string[] = []
  for (const route of routes) {
    const parameters = matchPath(route.path, path)
    if (parameters === null) continue
    if (route.method === method || (route.method === 'GET' && method === 'HEAD')) return { kind: 'found', route, parameters }
    allowed.push(route.method)
  }
  return allowed.length > 0 ? { kind: 'wrong-method', allowed } : { kind: 'unknown' }
}

function matchPath(pattern: string, path: string): Readonly<Record<string, string>> | null {
  const wanted = pattern.split('/')
  const given = path.split('/')
  const rest = wanted.at(-1) === '*'
  if (rest ? given.length < wanted.length : wanted.length !== given.length) return null
  const parameters: Record<string, string> = {}
  for (const [index, segment] of wanted.entries()) {
    const value = given[index] ?? ''
    if (segment === '*') return { ...parameters, rest: given.slice(index).join('/') }
    const name = /^\{(\w+)\}$/.exec(segment)?.[1]
    if (name === undefined ? segment !== value : value === '') return null
    if (name !== undefined) {
      const decoded = decodeSegment(value)
      if (decoded === null) return null
      parameters[name] = decoded
    }
  }
  return parameters
}

function decodeSegment(value: string): string | null {
  try {
    return decodeURIComponent(value)
  } catch {
    return null
  }
}
