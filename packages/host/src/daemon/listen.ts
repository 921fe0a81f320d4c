// Opens the daemon's doors: sockets that only their owner can reach, a port on loopback, a token for it.
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo, Server } from 'node:net'
import { dirname } from 'node:path'

export type Listening = { readonly ok: true } | { readonly ok: false; readonly why: string }

/** The caller holds the instance lock, so a socket file that is already there was left behind. */
export async function listenOnSocket(server: Server, path: string): Promise<Listening> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  chmodSync(dirname(path), 0o700)
  rmSync(path, { force: true })
  const result = await listen(server, path)
  if (result.ok) chmodSync(path, 0o600)
  return result
}

export const DEFAULT_PORT = 4517
const PORTS_TRIED = 50

/** The port asked for, else the one that pages opened before a crash still know, else the default or the next free one. */
export async function listenOnLoopback(
  server: Server,
  wanted: number | null,
  earlier: number | null = null,
): Promise<{ readonly port: number } | { readonly why: string }> {
  if (wanted === null && earlier !== null && (await listen(server, { port: earlier, host: '127.0.0.1' })).ok) return { port: earlier }
  const first = wanted ?? DEFAULT_PORT
  const last = wanted === null ? first + PORTS_TRIED : first
  for (let port = first; port <= last; port++) {
    const result = await listen(server, { port, host: '127.0.0.1' })
    if (result.ok) return { port: (server.address() as AddressInfo).port }
    if (wanted !== null) return { why: `cannot listen on 127.0.0.1:${port}: ${result.why}` }
  }
  return { why: `no free port between ${first} and ${last}` }
}

export function ensureToken(path: string): string {
  if (existsSync(path)) {
    chmodSync(path, 0o600)
    const token = readFileSync(path, 'utf8').trim()
    if (token.length >= 32) return token
  }
  const token = randomBytes(32).toString('base64url')
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeFileSync(path, `${token}\n`, { mode: 0o600 })
  return token
}

function listen(server: Server, where: string | { readonly port: number; readonly host: string }): Promise<Listening> {
  return new Promise(resolve => {
    const onError = (error: NodeJS.ErrnoException) => {
      server.removeListener('listening', onListening)
      resolve({ ok: false, why: error.code ?? error.message })
    }
    const onListening = () => {
      server.removeListener('error', onError)
      resolve({ ok: true })
    }
    server.once('error', onError)
    server.once('listening', onListening)
    server.listen(where)
  })
}
