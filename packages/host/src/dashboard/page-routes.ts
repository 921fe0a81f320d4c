// The page: its files, which hold no data and need no secret, and the door through which a one-time link lets a person in.
import type { ServerResponse } from 'node:http'
import { SESSION_COOKIE } from '../http/admission.ts'
import { SESSION_SECONDS, type Sessions } from '../http/page-sessions.ts'
import type { Route, RouteCall } from '../http/route.ts'
import { sendProblem } from '../http/server.ts'
import type { PageFile, PageFiles } from './page-files.ts'

/** Nothing but our own files: no inline script or style, no frame, no form to elsewhere. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Addresses inside the page; each is the same document. */
const VIEWS = [
  '/',
  '/live',
  '/live/{id}',
  '/fleet',
  '/fleet/{id}',
  '/approvals',
  '/approvals/{id}',
  '/ledger',
  '/ledger/{id}',
  '/policy',
  '/overview',
]

export function createPageRoutes(files: PageFiles, sessions: Sessions): readonly Route[] {
  const views = VIEWS.map(
    (path): Route => ({
      method: 'GET',
      path,
      open: true,
      mayEndWithSlash: true,
      summary: 'The dashboard.',
      run({ request, response }) {
        const file = files.document()
        if (file === null)
          return sendProblem(response, 404, 'The dashboard is not part of this installation; build it with `npm run build`.')
        send(response, file, request.headers)
      },
    }),
  )
  return [...views, fileRoute('/assets/{name}', files), fileRoute('/favicon.svg', files), enterRoute(sessions)]
}

function fileRoute(path: string, files: PageFiles): Route {
  return {
    method: 'GET',
    path,
    open: true,
    summary: 'A file of the dashboard.',
    run({ request, response, url }) {
      const file = files.get(url.pathname)
      if (file === null) return sendProblem(response, 404, `There is no file ${url.pathname}; load the page again.`)
      send(response, file, request.headers)
    },
  }
}

/** Trades the code for a cookie and leaves the address bar clean. */
function enterRoute(sessions: Sessions): Route {
  return {
    method: 'GET',
    path: '/enter',
    open: true,
    summary: 'Where a one-time link of `belay dashboard` leads: sets the session cookie.',
    run({ request, response, url }: RouteCall) {
      if (request.method !== 'GET') return sendProblem(response, 405, '/enter takes GET.')
      const cookie = sessions.enter(url.searchParams.get('code') ?? '')
      // A person who follows a link twice is in already, or reads on the page how to get another.
      if (cookie === null && request.headers.accept?.includes('text/html') === true) return redirect(response)
      if (cookie === null)
        return sendProblem(response, 410, 'This link was used already or is older than a minute; get another with `belay dashboard`.')
      redirect(response, { 'set-cookie': `${SESSION_COOKIE}=${cookie}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${SESSION_SECONDS}` })
    },
  }
}

function redirect(response: ServerResponse, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(303, { location: '/', ...headers })
  response.end()
}

function send(response: ServerResponse, file: PageFile, headers: RouteCall['request']['headers']): void {
  response.setHeader('content-security-policy', POLICY)
  response.setHeader('cross-origin-opener-policy', 'same-origin')
  response.setHeader('cache-control', file.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
  response.setHeader('etag', file.tag)
  response.setHeader('vary', 'accept-encoding')
  if (headers['if-none-match'] === file.tag) {
    response.writeHead(304)
    response.end()
    return
  }
  const isGzipped = /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''))
  const body = isGzipped ? file.gzipped : file.plain
  response.writeHead(200, {
    'content-type': file.type,
    'content-length': body.length,
    ...(isGzipped ? { 'content-encoding': 'gzip' } : {}),
  })
  response.end(body)
}
