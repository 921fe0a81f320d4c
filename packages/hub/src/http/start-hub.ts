// The HTTP server of one hub process. It keeps nothing between requests, so any number of processes may stand beside it on one database.
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { NoteSigner } from '@belay/core/ledger'
import { errorText, isObject } from '@belay/core/value'
import { createRefusals, type Refusals } from '../act/refusals.ts'
import { sendNotices } from '../approval/send-notices.ts'
import type { HubConfig } from '../config/hub-config.ts'
import { findVersionProblem } from '../database/migrate.ts'
import type { Database } from '../database/open-database.ts'
import { createPulses, type Pulses } from '../database/pulse.ts'
import { mayDo } from '../database/role.ts'
import { findMachineByToken } from '../machine/login-machine.ts'
import { findPersonByToken } from '../people/person.ts'
import { forgetTokens, hashSecret } from '../people/token.ts'
import { createApprovalRoutes } from './approval-routes.ts'
import { createBundleRoutes } from './bundle-routes.ts'
import { createFleetRoutes } from './fleet-routes.ts'
import { createHubMetrics, type HubMetrics } from './hub-metrics.ts'
import { createMachineRoutes } from './machine-routes.ts'
import { openPage, type ServePage } from './page-files.ts'
import { createSessionRoutes, findVisitor } from './page-session.ts'
import { createPeopleRoutes } from './people-routes.ts'
import { readJson } from './read-json.ts'
import { type Answer, type Call, ok, type Route, type Routes, refuse } from './route.ts'
import { createViewRoutes } from './view-routes.ts'

type NoticeConfig = Pick<HubConfig, 'noticeUrl' | 'noticeFormat' | 'noticeSecret' | 'publicUrl'>
const NO_NOTICES: NoticeConfig = { noticeUrl: null, noticeFormat: 'belay', noticeSecret: null, publicUrl: null }

export interface HubOptions {
  readonly db: Database
  readonly signer: NoteSigner
  readonly config: Pick<HubConfig, 'host' | 'port' | 'tlsCert' | 'tlsKey' | 'silentAfterMinutes'> &
    Partial<NoticeConfig & Pick<HubConfig, 'behindProxy'>> & { readonly requestMs?: number }
  log(line: string): void
}

export interface Hub {
  readonly url: string
  /** Answers what has come, takes nothing more. */
  stop(): Promise<void>
}

const MAX_BODY_BYTES = 8 * 1024 * 1024
const CLEAN_MS = 600_000
/** A daemon gives a whole call twenty seconds. */
const REQUEST_MS = 30_000
const unzip = promisify(gunzip)

export async function startHub({ db, signer, config, log }: HubOptions): Promise<Hub> {
  const metrics = createHubMetrics()
  const pulses = createPulses(db, error => log(`nobody could be woken for now: ${errorText(error)}`))
  const refusals = createRefusals(db, signer, log)
  const routes = createRoutes({ db, signer, config, metrics, pulses, refusals })
  const ending = { isBegun: false }
  const serving: Serving = { db, routes, metrics, ending, refusals, servePage: openPage(), log }
  /** Requests that are being answered: one whose client has gone away holds no connection open, and still asks the database. */
  const answering = new Set<Promise<void>>()
  const server = createListener(config, (request, response) => {
    const answered = serve(serving, request, response).finally(() => answering.delete(answered))
    answering.add(answered)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(config.port, config.host, resolve)
  })
  let cleaned: Promise<void> = Promise.resolve()
  const cleaning = setInterval(() => {
    cleaned = forgetTokens(db, new Date()).catch(error => log(`old tokens stay for now: ${errorText(error)}`))
  }, CLEAN_MS).unref()
  const notices = sendNotices({ db, config: { ...NO_NOTICES, ...config }, log })
  const { port } = server.address() as AddressInfo
  const host = config.host.includes(':') ? `[${config.host}]` : config.host
  return {
    url: `${config.tlsCert === null ? 'http' : 'https'}://${host}:${port}`,
    stop: async () => {
      ending.isBegun = true
      clearInterval(cleaning)
      const quiet = [pulses.close(), notices.stop(), cleaned]
      server.closeIdleConnections()
      await new Promise<void>(resolve => server.close(() => resolve()))
      // The database is closed behind us: nothing may be on its way to it.
      await Promise.all([...quiet, ...answering])
    },
  }
}

export interface RouteParts extends Pick<HubOptions, 'db' | 'signer' | 'config'> {
  readonly metrics: HubMetrics
  readonly pulses: Pulses
  readonly refusals: Refusals
}

/** Everything that can be asked of a hub, and by whom. */
export function createRoutes({ db, signer, config, metrics, pulses, refusals }: RouteParts): Routes {
  const silentAfterMs = config.silentAfterMinutes * 60_000
  return {
    'GET /healthz': { for: 'anyone', run: async () => ok({ ok: true }) },
    'GET /readyz': { for: 'anyone', run: () => answerReady(db) },
    'GET /metrics': {
      for: 'anyone',
      run: async () => ({ status: 200, type: 'text/plain; version=0.0.4', body: await metrics.write(db, silentAfterMs) }),
    },
    ...createMachineRoutes({ db, signer, metrics, refusals }),
    ...createPeopleRoutes({ db, signer, silentAfterMs }),
    ...createSessionRoutes({ db, refusals, isSecure: config.tlsCert !== null || config.behindProxy === true }),
    ...createViewRoutes({ db, signer, silentAfterMs }),
    ...createBundleRoutes({ db, signer, pulses, refusals, hasNotices: (config.noticeUrl ?? null) !== null }),
    ...createApprovalRoutes({ db, signer, pulses, refusals }),
    ...createFleetRoutes(db, signer),
  }
}

function createListener(
  { tlsCert, tlsKey, requestMs = REQUEST_MS }: HubOptions['config'],
  listener: (request: IncomingMessage, response: ServerResponse) => void,
): Server {
  // Who sends nothing, or so slowly that no daemon or browser would, makes room for others.
  const limits = { headersTimeout: requestMs, requestTimeout: requestMs, connectionsCheckingInterval: requestMs / 4 }
  if (tlsCert === null || tlsKey === null) return createServer(limits, listener)
  const tls = { cert: readFileSync(tlsCert), key: readFileSync(tlsKey), minVersion: 'TLSv1.2', handshakeTimeout: requestMs } as const
  return createTlsServer({ ...limits, ...tls }, listener)
}

async function answerReady(db: Database): Promise<Answer> {
  try {
    const problem = await findVersionProblem(db)
    return problem === undefined ? ok({ ok: true }) : refuse(503, problem)
  } catch (error) {
    return refuse(503, `the database does not answer: ${errorText(error)}`)
  }
}

interface Serving {
  readonly db: Database
  readonly routes: Routes
  readonly metrics: HubMetrics
  /** From then on nobody comes back on the same connection: a machine that waits again and again would hold it open for ever. */
  readonly ending: { readonly isBegun: boolean }
  readonly refusals: Refusals
  readonly servePage: ServePage
  log(line: string): void
}

async function serve(serving: Serving, request: IncomingMessage, response: ServerResponse): Promise<void> {
  serving.metrics.count('belay_hub_requests_total')
  if (serving.ending.isBegun) response.setHeader('connection', 'close')
  const path = request.url?.split('?')[0] ?? '/'
  if ((request.method === 'GET' || request.method === 'HEAD') && serving.servePage(path, request, response)) return
  let answer: Answer
  try {
    answer = await answerRequest(serving, request)
  } catch (error) {
    serving.metrics.count('belay_hub_request_errors_total')
    serving.log(`${request.method} ${path}: ${errorText(error)}`)
    answer = isUnstorable(error)
      ? refuse(400, `a value in this request cannot be stored: ${errorText(error)}`)
      : refuse(503, 'the hub could not do this now; try again')
  }
  const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? {})
  response.writeHead(answer.status, {
    'content-type': answer.type ?? 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...answer.headers,
  })
  response.end(text)
}

/** A value nested too deep to be written, or of PostgreSQL's classes for what it cannot hold: trying again does not help. */
function isUnstorable(error: unknown): boolean {
  return error instanceof RangeError || (isObject(error) && typeof error.code === 'string' && /^(?:22|54)/.test(error.code))
}

async function answerRequest(serving: Serving, request: IncomingMessage): Promise<Answer> {
  const { routes } = serving
  const base = 'http://hub'
  if (!URL.canParse(request.url ?? '/', base)) return refuse(400, 'the address cannot be read')
  const url = new URL(request.url ?? '/', base)
  const name = `${request.method} ${url.pathname}`
  const route = Object.hasOwn(routes, name) ? routes[name] : undefined
  if (!route) return refuse(404, `there is no ${name}`)
  // Who it is first: a stranger's body is not read.
  const run = await admit(serving, route, name, request)
  if (typeof run !== 'function') return run
  const body = request.method === 'POST' ? await readBody(request) : undefined
  if (body instanceof Error) return refuse(400, body.message)
  return run({ query: url.searchParams, body, headers: request.headers })
}

/** An answer: who calls may not. */
async function admit(
  serving: Serving,
  route: Route,
  name: string,
  { headers }: IncomingMessage,
): Promise<Answer | ((call: Call) => Promise<Answer>)> {
  const { db, refusals } = serving
  if (route.for === 'anyone') return call => route.run(call)
  const [, secret] = /^Bearer (\S+)$/.exec(headers.authorization ?? '') ?? []
  if (route.for === 'machine') {
    const machine = secret === undefined ? undefined : await findMachineByToken(db, secret)
    return machine ? call => route.run(call, machine) : refuseToken(serving, name, secret)
  }
  const person = secret === undefined ? await findVisitor(db, headers) : await findPersonByToken(db, secret)
  if (!person) return refuseToken(serving, name, secret)
  if (mayDo(person.role, route.for)) return call => route.run(call, person)
  await refusals.note({ actor: `person:${person.name}`, kind: 'refused', body: { request: name, role: person.role, needs: route.for } })
  return refuse(403, `this is for the role ${route.for}, and ${person.name} is ${person.role}`)
}

/** One that was given and is none, is over, was revoked or is of another kind stands on record, with whose it was. */
async function refuseToken({ db, refusals }: Serving, name: string, secret: string | undefined): Promise<Answer> {
  if (secret === undefined) return refuse(401, NO_TOKEN)
  const known = await db.selectFrom('token').selectAll().where('hash', '=', hashSecret(secret)).executeTakeFirst()
  const why = known === undefined ? 'unknown' : known.revoked_at ? 'revoked' : known.expires_at < new Date() ? 'over' : 'of another kind'
  const actor = known?.machine ? `machine:${known.machine}` : known?.person ? `person:${known.person}` : 'nobody'
  await refusals.note({ actor, kind: 'token_refused', body: { request: name, why } })
  return refuse(401, BAD_TOKEN)
}

const NO_TOKEN = 'give a token: authorization: Bearer TOKEN'
const BAD_TOKEN = 'the token is unknown or over'

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length
    if (bytes > MAX_BODY_BYTES) return new Error(`a body has at most ${MAX_BODY_BYTES} bytes`)
    chunks.push(chunk as Buffer)
  }
  try {
    const raw = Buffer.concat(chunks)
    const text = request.headers['content-encoding'] === 'gzip' ? await unzip(raw, { maxOutputLength: MAX_BODY_BYTES }) : raw
    return readJson(text.toString())
  } catch (error) {
    return new Error(`the body is not JSON: ${errorText(error)}`)
  }
}
