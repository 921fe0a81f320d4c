// The page's door through a real daemon: one-time links, the cookie, the key of the page, files and their headers.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { callDaemon } from '../command/daemon-status.ts'
import { type Daemon, startDaemon } from '../daemon/start-daemon.ts'
import { createSessions } from '../http/page-sessions.ts'

const ended: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end()
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'belay-page-'))
  ended.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function start(home = newFolder(), port: number | null = 0): Promise<Daemon> {
  const started = await startDaemon({ home, etc: join(home, 'etc'), env: {}, port, version: 'test', log: () => undefined })
  if (!started.ok) throw new Error(started.why)
  ended.push(() => started.daemon.stop())
  return started.daemon
}

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

function send(
  url: string,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {},
) {
  return new Promise<Answer>((resolve, reject) => {
    const request = httpRequest(url, { method, headers }, response => {
      const chunks: Buffer[] = []
      response.on('data', chunk => chunks.push(chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString() }),
      )
    })
    request.on('error', reject)
    request.end(body)
  })
}

async function newLink({ socket }: Daemon): Promise<string> {
  const answer = await callDaemon(socket, 'dashboard.link', {})
  if (answer.kind !== 'result') throw new Error(JSON.stringify(answer))
  return (answer.value as { url: string }).url
}

async function enter(daemon: Daemon): Promise<string> {
  const { headers } = await send(await newLink(daemon))
  return String(headers['set-cookie']).split(';')[0] ?? ''
}

function ask(daemon: Daemon, headers: Record<string, string>) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'approvals.list', params: {} })
  return send(`${daemon.url}v1/rpc`, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })
}

const originOf = (daemon: Daemon) => daemon.url.replace(/\/$/, '')

describe('a one-time link', () => {
  test('sets a cookie that scripts cannot read and leaves no code in the address', async () => {
    const daemon = await start()
    const link = await newLink(daemon)
    expect(link.startsWith(`${daemon.url}enter?code=`)).toBe(true)
    const answer = await send(link)
    expect(answer).toMatchObject({ status: 303, headers: { location: '/', 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' } })
    expect(String(answer.headers['set-cookie'])).toMatch(/^belay_session=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/; Max-Age=\d+$/)
  })

  test('works once, and says what to do the second time', async () => {
    const daemon = await start()
    const link = await newLink(daemon)
    await send(link)
    const again = await send(link)
    expect(again.status).toBe(410)
    expect(again.text).toContain('belay dashboard')
    expect(again.headers['set-cookie']).toBeUndefined()
  })

  test('is refused from a page of another site', async () => {
    const daemon = await start()
    expect((await send(await newLink(daemon), { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403)
  })
})

describe('the session', () => {
  test('lets the page ask, and nobody without the cookie', async () => {
    const daemon = await start()
    const cookie = await enter(daemon)
    expect((await ask(daemon, { cookie, origin: originOf(daemon) })).status).toBe(200)
    expect((await ask(daemon, { origin: originOf(daemon) })).status).toBe(401)
    expect((await ask(daemon, { cookie: 'belay_session=wrong', origin: originOf(daemon) })).status).toBe(401)
  })

  test('refuses another origin and a change without one', async () => {
    const daemon = await start()
    const cookie = await enter(daemon)
    expect((await ask(daemon, { cookie, origin: 'http://evil.example' })).status).toBe(403)
    expect((await ask(daemon, { cookie })).status).toBe(403)
    expect((await ask(daemon, { cookie, origin: originOf(daemon), host: 'evil.example' })).status).toBe(421)
  })

  test('belongs to the page that used it first: a cookie read elsewhere is worth nothing', async () => {
    const daemon = await start()
    const cookie = await enter(daemon)
    const origin = originOf(daemon)
    expect((await ask(daemon, { cookie, origin, 'belay-page': 'mine' })).status).toBe(200)
    expect((await ask(daemon, { cookie, origin, 'belay-page': 'other' })).status).toBe(401)
    const bare = await ask(daemon, { cookie, origin })
    expect(bare.status).toBe(401)
    expect(bare.text).toContain('belay dashboard')
    expect((await ask(daemon, { cookie, origin, 'belay-page': 'mine' })).status).toBe(200)
  })

  test('survives a restart of the daemon, on disk only as hashes', async () => {
    const home = newFolder()
    const first = await start(home)
    const cookie = await enter(first)
    await ask(first, { cookie, origin: originOf(first), 'belay-page': 'mine' })
    const file = join(home, 'run', 'sessions.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, 'utf8')).not.toContain(cookie.split('=')[1])
    await first.stop()
    const second = await start(home)
    expect((await ask(second, { cookie, origin: originOf(second), 'belay-page': 'mine' })).status).toBe(200)
    expect((await ask(second, { cookie, origin: originOf(second) })).status).toBe(401)
  })

  test('ends with its time', () => {
    let now = 1_000_000
    const sessions = createSessions({ file: join(newFolder(), 'sessions.json'), now: () => now })
    const late = sessions.link()
    const cookie = sessions.enter(sessions.link()) ?? ''
    now += 61_000
    expect(sessions.enter(late)).toBeNull()
    expect(sessions.check(cookie, null)).toBe('ok')
    now += 8 * 24 * 3_600_000
    expect(sessions.check(cookie, null)).toBe('unknown')
  })
})

describe('the files', () => {
  test('come with a policy that allows no inline script, and need no secret', async () => {
    const daemon = await start()
    for (const path of ['', 'live', 'fleet/a', 'ledger/12', 'policy']) {
      const { status, headers, text } = await send(`${daemon.url}${path}`)
      expect(status).toBe(200)
      expect(text).toContain('<div id="page">')
      expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
      expect(headers['content-security-policy']).not.toContain('unsafe')
      expect(headers['x-frame-options']).toBe('DENY')
    }
  })

  test('are the same with a slash at the end', async () => {
    const daemon = await start()
    const page = await send(daemon.url)
    const paths = ['live', 'fleet', 'fleet/a', 'approvals', 'approvals/1', 'ledger', 'ledger/1', 'policy', 'overview']
    const answers = await Promise.all(paths.flatMap(path => [send(`${daemon.url}${path}`), send(`${daemon.url}${path}/`)]))
    expect(answers.map(({ status, text }) => [status, text === page.text])).toEqual(answers.map(() => [page.status, true]))
    expect((await send(`${daemon.url}approvals//`)).status).toBe(401)
    expect((await send(`${daemon.url}v1/events/`)).status).toBe(401)
  })

  test('are only those of the build', async () => {
    const daemon = await start()
    const { text } = await send(daemon.url)
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(text)?.[1] ?? ''
    const found = await send(`${originOf(daemon)}${script}`)
    expect(found).toMatchObject({ status: 200, headers: { 'cache-control': 'public, max-age=31536000, immutable' } })
    const again = await send(`${originOf(daemon)}${script}`, { headers: { 'if-none-match': String(found.headers.etag) } })
    expect(again.status).toBe(304)
    for (const path of ['assets/..%2f..%2fpackage.json', 'assets/none.js', 'assets/..%2findex.html']) {
      expect((await send(`${daemon.url}${path}`)).status).toBe(404)
    }
  })
})

test('a daemon that comes back after a crash is found where it was', async () => {
  const home = newFolder()
  const first = await start(home)
  const port = Number(new URL(first.url).port)
  const state = readFileSync(join(home, 'run', 'daemon.json'), 'utf8')
  await first.stop()
  writeFileSync(join(home, 'run', 'daemon.json'), state)
  const second = await start(home, null)
  expect(Number(new URL(second.url).port)).toBe(port)
})
