// The page's files, as the build left them beside the program, read once. They hold no data and need no login.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

interface PageFile {
  readonly type: string
  readonly plain: Buffer
  readonly gzipped: Buffer
  readonly tag: string
}

/** False: this is no path of the page. */
export type ServePage = (path: string, request: IncomingMessage, response: ServerResponse) => boolean

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** Nothing but our own files: no inline script or style, no frame, no form to elsewhere. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Addresses inside the page; each is the same document. */
const VIEW = /^\/(?:(?:machines|live|approvals|rollout|search|acts)(?:\/[^?]*)?)?$/
const DOCUMENT = '/hub.html'

export function openPage(folder: string = fileURLToPath(new URL('../../dist/web/', import.meta.url))): ServePage {
  const known = new Set(existsSync(folder) ? readdirSync(folder, { recursive: true }).map(name => `/${String(name)}`) : [])
  const kept = new Map<string, PageFile>()
  return (path, request, response) => {
    const name = VIEW.test(path) ? DOCUMENT : path
    const type = TYPES[extname(name)]
    // Only names that are there are served: a path from outside never reaches the file system.
    if (type === undefined || !known.has(name)) return false
    const file = kept.get(name) ?? readPageFile(join(folder, name), type)
    kept.set(name, file)
    send(file, name.startsWith('/assets/'), request, response)
    return true
  }
}

function readPageFile(file: string, type: string): PageFile {
  const plain = readFileSync(file)
  return { type, plain, gzipped: gzipSync(plain), tag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"` }
}

/** `isHashed`: its name changes with its content, so browsers may keep it. */
function send(file: PageFile, isHashed: boolean, { headers }: IncomingMessage, response: ServerResponse): void {
  const isGzipped = /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''))
  const body = isGzipped ? file.gzipped : file.plain
  const isSame = headers['if-none-match'] === file.tag
  response.writeHead(isSame ? 304 : 200, {
    'content-security-policy': POLICY,
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cache-control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag: file.tag,
    vary: 'accept-encoding',
    ...(!isSame && { 'content-type': file.type, 'content-length': body.length, ...(isGzipped && { 'content-encoding': 'gzip' }) }),
  })
  response.end(isSame ? undefined : body)
}
