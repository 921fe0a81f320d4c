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

export interface Taken {
  /** JSON Schema of the body; absent: it takes none. */
  readonly body?: Readonly<Record<string, unknown>>
  /** Name -> what it is for. */
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
}

export interface Route {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** Needs no secret on loopback. */
  readonly open?: boolean
  /** A slash at the end changes nothing: for what people type. */
  readonly mayEndWithSlash?: boolean
  /** It writes every header itself, those of security included: for what stands on the path of every tool call. */
  readonly isBare?: boolean
  /** What it is for; shown in /openapi.json. */
  readonly summary: string
  /** What it takes beside the parameters of its path; shown there too. */
  readonly takes?: Taken
  run(call: RouteCall): Promise<void> | void
}

export type FoundRoute =
  | { readonly kind: 'found'; readonly route: Route; readonly parameters: Readonly<Record<string, string>> }
  | { readonly kind: 'wrong-method'; readonly allowed: readonly string[] }
  | { readonly kind: 'unknown' }

export type FindRoute = (method: string, path: string) => FoundRoute

export function createFindRoute(routes: readonly Route[]): FindRoute {
  const compiled = routes.flatMap(route => spellings(route).map(path => ({ route, segments: path.split('/').map(readSegment) })))
  return (method, path) => {
    const given = path.split('/')
    const allowed: string[] = []
    for (const { route, segments } of compiled) {
      const parameters = matchPath(segments, given)
      if (parameters === null) continue
      if (route.method === method || (route.method === 'GET' && method === 'HEAD')) return { kind: 'found', route, parameters }
      allowed.push(route.method)
    }
    return allowed.length > 0 ? { kind: 'wrong-method', allowed } : { kind: 'unknown' }
  }
}

function spellings({ path, mayEndWithSlash }: Route): readonly string[] {
  return mayEndWithSlash === true && path !== '/' ? [path, `${path}/`] : [path]
}

/** A text that must stand there, the name of a parameter, or everything that follows. */
type Segment = { readonly text: string } | { readonly name: string } | { readonly isRest: true }

function readSegment(text: string): Segment {
  const name = /^\{(\w+)\}$/.exec(text)?.[1]
  if (name !== undefined) return { name }
  return text === '*' ? { isRest: true } : { text }
}

function matchPath(segments: readonly Segment[], given: readonly string[]): Readonly<Record<string, string>> | null {
  const parameters: Record<string, string> = {}
  for (let index = 0; index < segments.length; index++) {
    const segment = segments[index]
    const value = given[index]
    if (segment === undefined || value === undefined) return null
    if ('text' in segment) {
      if (segment.text !== value) return null
    } else if ('isRest' in segment) {
      parameters.rest = given.slice(index).join('/')
      return parameters
    } else {
      const decoded = value === '' ? null : decodeSegment(value)
      if (decoded === null) return null
      parameters[segment.name] = decoded
    }
  }
  return segments.length === given.length ? parameters : null
}

function decodeSegment(value: string): string | null {
  if (!value.includes('%')) return value
  try {
    return decodeURIComponent(value)
  } catch {
    return null
  }
}
