// The HTTP surface on daemon.sock and on 127.0.0.1: finds the route, checks who asks, and never lets an error out as anything but an answer.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { VerbUser } from '@belay/core/match'
import { admit, type Door, type Secrets } from './admission.ts'
import { CONNECTION_LIMITS, type ConnectionLimits, limitConnections } from './connection-limit.ts'
import { createFindRoute, type FindRoute, type Route, type RouteCall } from './route.ts'

export interface HttpServerOptions {
  readonly routes: readonly Route[]
  readonly door: Door
  readonly secrets: Secrets
  /** Of `POST /v1/rpc` ... */
  userOf(route: string): VerbUser
  readonly limits?: ConnectionLimits
  onFailure(error: unknown, request: IncomingMessage): void
}

/** Fewer than for hook calls: each is kept for several requests. */
const HTTP_LIMITS: ConnectionLimits = { ...CONNECTION_LIMITS, most: 200 }

export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
} as const

export function createHttpServer(options: HttpServerOptions): Server {
  const find = createFindRoute(options.routes)
  const forPeople = new Set(options.routes.filter(({ method, path }) => options.userOf(`${method} ${path}`) === 'person'))
  const server = createServer(
    { maxHeaderSize: 16 * 1024, requestTimeout: 60_000, headersTimeout: 10_000, keepAliveTimeout: 30_000 },
    (request, response) => handle(options, { find, forPeople }, request, response),
  )
  const busy = new Set<Socket>()
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    busy.add(socket)
    response.once('close', () => busy.delete(socket))
  })
  limitConnections(server, { ...(options.limits ?? HTTP_LIMITS), isBusy: socket => busy.has(socket), now: () => performance.now() })
  server.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
    else socket.destroy()
  })
  return server
}

interface Routes {
  readonly find: FindRoute
  /** Only the dashboard's session may use them. */
  readonly forPeople: ReadonlySet<Route>
}

function handle(options: HttpServerOptions, routes: Routes, request: IncomingMessage, response: ServerResponse): void {
  const fail = (error: unknown) => {
    options.onFailure(error, request)
    if (!response.headersSent) sendProblem(response, 500, 'The daemon failed on this request; its log says why (belay logs).')
    else response.destroy()
  }
  try {
    const running = dispatch(options, routes, request, response)
    if (running instanceof Promise) running.catch(fail)
  } catch (error) {
    fail(error)
  }
}

function dispatch(
  { door, secrets }: HttpServerOptions,
  { find, forPeople }: Routes,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> | void {
  const target = readTarget(request.url ?? '/')
  if (target === null) return sendProblem(response, 400, 'The request target is not a path.')
  const asked = find(request.method ?? 'GET', target.path)
  // Who goes astray in a browser gets the page, which says so.
  const found = asked.kind === 'unknown' && isBrowsing(request) ? find('GET', '/') : asked
  const admission = admit(request, door, secrets, found.kind === 'found' && found.route.open === true)
  if (!admission.ok) return sendProblem(response, admission.status, admission.message)
  if (found.kind === 'unknown') return sendProblem(response, 404, `There is nothing at ${target.path}; /openapi.json lists what there is.`)
  if (found.kind === 'wrong-method') {
    response.setHeader('allow', found.allowed.join(', '))
    return sendProblem(response, 405, `${target.path} takes ${found.allowed.join(' or ')}.`)
  }
  if (forPeople.has(found.route) && admission.as !== 'session')
    return sendProblem(response, 403, `${target.path} is for people: open the page with \`belay dashboard\`.`)
  if (found.route.isBare !== true) secure(response)
  return found.route.run(new AdmittedCall({ request, response, parameters: found.parameters, as: admission.as }, target))
}

/** A class for its getter: most routes never look at the URL, and a getter of each call would cost more than finding the route. */
class AdmittedCall implements RouteCall {
  readonly request: RouteCall['request']
  readonly response: RouteCall['response']
  readonly parameters: RouteCall['parameters']
  readonly as: RouteCall['as']
  readonly #target: Target

  constructor({ request, response, parameters, as }: Omit<RouteCall, 'url'>, target: Target) {
    this.request = request
    this.response = response
    this.parameters = parameters
    this.as = as
    this.#target = target
  }

  get url(): URL {
    return this.#target.url()
  }
}

function secure(response: ServerResponse): void {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value)
}

interface Target {
  readonly path: string
  url(): URL
}

/** Nothing in it that parsing as a URL would change. */
const PLAIN_PATH = /^\/[\w/-]*$/

function readTarget(text: string): Target | null {
  if (PLAIN_PATH.test(text)) return { path: text, url: () => new URL(`http://daemon${text}`) }
  if (!text.startsWith('/')) return null
  try {
    const url = new URL(`http://daemon${text}`)
    return { path: url.pathname, url: () => url }
  } catch {
    return null
  }
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  const text = JSON.stringify(value)
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(text) })
  response.end(text)
}

/** Errors say what is wrong and what to do, in one shape. */
export function sendProblem(response: ServerResponse, status: number, message: string): void {
  secure(response)
  // What is left of a body that nobody will read must not be taken for the next request.
  if (status >= 400) response.setHeader('connection', 'close')
  sendJson(response, status, { error: { status, message } })
}

function isBrowsing({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.accept?.includes('text/html') === true
}
