// Opens the daemon's doors: sockets that only their owner can reach, a port on loopback, a token for it.

import { randomBytes } from 'node:crypto'
import { chmodSync, lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo, Server } from 'node:net'
import { dirname } from 'node:path'
import { errorText } from '@belay/core/value'
import { makeFolder } from '../disk/make-folder.ts'
import { takeOwnFolder } from '../disk/own-folder.ts'
import type { RunPaths } from '../wire/run-paths.ts'

export type Listening = { readonly ok: true } | { readonly ok: false; readonly why: string }

/** The caller holds the instance lock, so a socket file that is already there was left behind. */
export async function listenOnSocket(server: Server, path: string): Promise<Listening> {
  try {
    const why = takeOwnFolder(dirname(path))
    if (why !== null) return { ok: false, why }
    rmSync(path, { force: true })
  } catch (error) {
    return { ok: false, why: errorText(error) }
  }
  const result = await listen(server, path)
  if (result.ok) chmodSync(path, 0o600)
  return result
}

export const DEFAULT_PORT = 4517
const PORTS_TRIED = 50

export interface PortChoice {
  /** This one or none. */
  readonly asked: number | null
  readonly configured?: number | null
  /** Pages opened before a crash still know it. */
  readonly earlier?: number | null
}

/** The port asked for; else the configured one, the one before a crash, the default, or the next that is free. */
export async function listenOnLoopback(
  server: Server,
  { asked, configured = null, earlier = null }: PortChoice,
): Promise<{ readonly port: number } | { readonly why: string }> {
  const first = asked ?? configured ?? DEFAULT_PORT
  const next = Array.from({ length: PORTS_TRIED + 1 }, (_, step) => first + step).filter(port => port < 65_536)
  const ports = asked !== null ? [asked] : configured === null && earlier !== null ? [earlier, ...next] : next
  let last = ''
  for (const port of ports) {
    const result = await listen(server, { port, host: '127.0.0.1' })
    if (result.ok) return { port: (server.address() as AddressInfo).port }
    last = result.why
  }
  if (asked !== null) return { why: `cannot listen on 127.0.0.1:${asked}: ${last}; without --port the next free one is taken` }
  return { why: `no free port between ${first} and ${ports.at(-1)}: ${last}` }
}

/** Why the daemon may not put anything here: somebody else made one of these folders, or led them elsewhere. null: they are ours. */
export function whyNotOurFolders({ token, socket }: Pick<RunPaths, 'token' | 'socket'>): string | null {
  for (const path of [token, socket]) {
    const why = takeOwnFolder(dirname(path))
    if (why !== null) return `cannot use ${path}: ${why}`
  }
  return null
}

/** In a folder of ours. What stands there and is no file of its own is not read, and nothing is written through it. */
export function ensureToken(path: string): string {
  makeFolder(dirname(path), 0o700)
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === true) {
    chmodSync(path, 0o600)
    const token = readFileSync(path, 'utf8').trim()
    if (token.length >= 32) return token
  }
  const token = randomBytes(32).toString('base64url')
  rmSync(path, { recursive: true, force: true })
  writeFileSync(path, `${token}\n`, { mode: 0o600, flag: 'wx' })
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
