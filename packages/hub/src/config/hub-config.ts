// The configuration of a hub: a file in TOML, each key of which an environment variable replaces. A key that nobody knows is an error.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { createSecureContext } from 'node:tls'
import { errorText } from '@belay/core/value'
import { parse } from 'smol-toml'

export interface HubConfig {
  /** May lead through a pooler in transaction mode. */
  readonly databaseUrl: string
  /** For migrations: without a pooler between. */
  readonly directUrl: string
  readonly host: string
  readonly port: number
  /** The hub's private key. Every process of one hub has the same. */
  readonly keyFile: string
  readonly tlsCert: string | null
  readonly tlsKey: string | null
  /** A proxy in front speaks TLS, and nobody reaches this port past it. */
  readonly behindProxy: boolean
  /** A machine that was not heard of for so long is named. */
  readonly silentAfterMinutes: number
  /** Entries older than this are dropped by `prune`; null: kept. */
  readonly retentionDays: number | null
  /** Called when an agent waits for a person; null: nobody is told. */
  readonly noticeUrl: string | null
  readonly noticeFormat: NoticeFormat
  /** Signs notices; null: they are not signed. */
  readonly noticeSecret: string | null
  /** Where people reach this hub, for links in notices. */
  readonly publicUrl: string | null
}

export const NOTICE_FORMATS = ['belay', 'slack', 'teams', 'ntfy', 'mail'] as const
export type NoticeFormat = (typeof NOTICE_FORMATS)[number]

export type ReadConfig = { readonly ok: true; readonly config: HubConfig } | { readonly ok: false; readonly why: string }

const KEYS = {
  database_url: 'text',
  direct_url: 'text',
  host: 'text',
  port: 'number',
  key_file: 'text',
  tls_cert: 'text',
  tls_key: 'text',
  behind_proxy: 'boolean',
  silent_after_minutes: 'number',
  retention_days: 'number',
  notice_url: 'text',
  notice_format: 'text',
  notice_secret: 'text',
  public_url: 'text',
} as const

type Key = keyof typeof KEYS
type Values = Partial<Record<Key, string | number | boolean>>

/** Whole numbers. */
export const LIMITS = {
  port: { least: 0, most: 65_535 },
  silent_after_minutes: { least: 1, most: 1_000_000 },
  retention_days: { least: 0, most: 1_000_000 },
} as const

const DEFAULT_PORT = 4600
const DEFAULT_SILENT_MINUTES = 60

export function readConfig(file: string | undefined, env: NodeJS.ProcessEnv): ReadConfig {
  const given = file ?? env.BELAY_HUB_CONFIG
  if (given !== undefined && !existsSync(given)) return { ok: false, why: `${given} does not exist; give another file with --config` }
  const path = given ?? 'belay-hub.toml'
  const fromFile = existsSync(path) ? readFile(path) : {}
  if (typeof fromFile === 'string') return { ok: false, why: fromFile }
  const fromEnv = readEnvironment(env)
  if (typeof fromEnv === 'string') return { ok: false, why: fromEnv }
  return complete({ ...fromFile, ...fromEnv }, dirname(resolve(path)))
}

function readFile(path: string): Values | string {
  let table: Readonly<Record<string, unknown>>
  try {
    table = parse(readFileSync(path, 'utf8'))
  } catch (error) {
    return `${path} is no TOML: ${errorText(error)}`
  }
  for (const [key, value] of Object.entries(table)) {
    if (!isKey(key)) return `${path}: there is no key ${key}; there are ${Object.keys(KEYS).join(', ')}`
    const kind = typeof value === 'bigint' ? 'number' : typeof value
    if (kind !== (KEYS[key] === 'text' ? 'string' : KEYS[key])) return `${path}: ${key} is a ${KEYS[key]}, this one is a ${kind}`
  }
  return table as Values
}

function readEnvironment(env: NodeJS.ProcessEnv): Values | string {
  const values: Values = {}
  for (const key of Object.keys(KEYS) as Key[]) {
    const name = `BELAY_HUB_${key.toUpperCase()}`
    const text = env[name]
    if (text === undefined || text === '') continue
    if (KEYS[key] === 'number' && !/^\d+$/.test(text)) return `${name} is a number, this one is ${JSON.stringify(text)}`
    if (KEYS[key] === 'boolean' && text !== 'true' && text !== 'false')
      return `${name} is true or false, this one is ${JSON.stringify(text)}`
    values[key] = KEYS[key] === 'number' ? Number(text) : KEYS[key] === 'boolean' ? text === 'true' : text
  }
  return values
}

function complete(values: Values, folder: string): ReadConfig {
  const text = (key: Key): string | undefined => (values[key] === undefined ? undefined : String(values[key]))
  const number = (key: Key): number | undefined => (values[key] === undefined ? undefined : Number(values[key]))
  const path = (key: Key): string | null => (text(key) === undefined ? null : resolve(folder, text(key) ?? ''))
  const databaseUrl = text('database_url')
  if (databaseUrl === undefined) return { ok: false, why: 'no database: set database_url in belay-hub.toml, or BELAY_HUB_DATABASE_URL' }
  if (!/^postgres(ql)?:\/\//.test(databaseUrl))
    return { ok: false, why: 'database_url begins with postgres://; a hub runs on PostgreSQL only' }
  const config: HubConfig = {
    databaseUrl,
    directUrl: text('direct_url') ?? databaseUrl,
    host: text('host') ?? '127.0.0.1',
    port: number('port') ?? DEFAULT_PORT,
    keyFile: path('key_file') ?? resolve(folder, 'belay-hub.key'),
    tlsCert: path('tls_cert'),
    tlsKey: path('tls_key'),
    behindProxy: values.behind_proxy === true,
    silentAfterMinutes: number('silent_after_minutes') ?? DEFAULT_SILENT_MINUTES,
    retentionDays: number('retention_days') ?? null,
    noticeUrl: text('notice_url') ?? null,
    noticeFormat: (text('notice_format') ?? 'belay') as NoticeFormat,
    noticeSecret: text('notice_secret') ?? null,
    publicUrl: text('public_url') ?? null,
  }
  const why = findOutOfLimits(values) ?? findUnsafe(config) ?? findNoticeProblem(config)
  return why === undefined ? { ok: true, config } : { ok: false, why }
}

function findOutOfLimits(values: Values): string | undefined {
  for (const [key, { least, most }] of Object.entries(LIMITS)) {
    const value = values[key as Key]
    if (value !== undefined && !(Number.isInteger(value) && Number(value) >= least && Number(value) <= most))
      return `${key} is a whole number from ${least} to ${most}, this one is ${value}`
  }
  return undefined
}

function findUnsafe({ host, tlsCert, tlsKey, behindProxy }: HubConfig): string | undefined {
  if ((tlsCert === null) !== (tlsKey === null)) return 'tls_cert and tls_key go together'
  const tlsProblem = tlsCert === null || tlsKey === null ? undefined : findTlsProblem(tlsCert, tlsKey)
  if (tlsProblem !== undefined) return tlsProblem
  if (isLoopback(host) || tlsCert !== null || behindProxy) return undefined
  return `host ${host} is not loopback: give tls_cert and tls_key, or say behind_proxy = true where a proxy speaks TLS`
}

function findTlsProblem(cert: string, key: string): string | undefined {
  try {
    createSecureContext({ cert: readFileSync(cert), key: readFileSync(key) })
    return undefined
  } catch (error) {
    return `tls_cert ${cert} and tls_key ${key} are a certificate and its key in PEM: ${errorText(error)}`
  }
}

function findNoticeProblem({ noticeUrl, noticeFormat, publicUrl }: HubConfig): string | undefined {
  if (publicUrl !== null && !/^https?:\/\/[^/]/.test(publicUrl)) return `public_url begins with https://, this one is ${publicUrl}`
  if (!NOTICE_FORMATS.includes(noticeFormat)) return `notice_format is one of ${NOTICE_FORMATS.join(', ')}`
  if (noticeUrl === null) return undefined
  const url = URL.canParse(noticeUrl) ? new URL(noticeUrl) : undefined
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))) return undefined
  return 'notice_url begins with https://, or leads to loopback'
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

function isKey(key: string): key is Key {
  return Object.hasOwn(KEYS, key)
}
