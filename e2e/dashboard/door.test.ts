// The page's door in a real browser: the one-time link, no secret in the address, requests from other origins.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PATIENCE_MS } from './browser.ts'
import { setBrowser, setWorld } from './stage.ts'
import type { World } from './world.ts'

let browser: Browser
let world: World
let foreign: Server
const cookiesSeen: (string | undefined)[] = []

setBrowser(opened => (browser = opened))
setWorld(started => (world = started))

beforeAll(async () => {
  foreign = createServer((request, response) => {
    cookiesSeen.push(request.headers.cookie)
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><title>elsewhere</title>')
  })
  await new Promise<void>(resolve => foreign.listen(0, '127.0.0.1', resolve))
})

afterAll(() => {
  foreign.close()
})

test('the link leads to the page, and the code is gone from the address', async () => {
  const { page, context } = await world.openPage(browser, { path: '/' })
  expect(new URL(page.url()).search).toBe('')
  const [cookie] = await context.cookies()
  expect(cookie).toMatchObject({ name: 'belay_session', httpOnly: true, sameSite: 'Strict' })
  await context.close()
})

test('a link that is used up leads whoever is in to the page, and tells others how to get in', async () => {
  const url = await world.link()
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(url)
  await page.getByRole('navigation').first().waitFor()
  await page.goto(url)
  await page.getByRole('navigation').first().waitFor()
  await context.close()
  const other = await (await browser.newContext()).newPage()
  await other.goto(url)
  await other.getByRole('heading', { name: 'This session has ended' }).waitFor()
  await other.context().close()
})

test('without the session the page says how to get one', async () => {
  const context = await browser.newContext()
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  await page.goto(await world.url())
  await page.getByText('belay dashboard').first().waitFor()
  await context.close()
})

test('a page of another origin can neither ask nor change, and a cookie it gets to see is worth nothing', async () => {
  const { page, context } = await world.openPage(browser)
  const url = await world.url()
  await page.getByRole('navigation').first().waitFor()
  const other = await context.newPage()
  await other.goto(`http://127.0.0.1:${(foreign.address() as AddressInfo).port}/`)
  const tried = await other.evaluate(async target => {
    const ask = (mode: 'cors' | 'no-cors', type: string) =>
      fetch(`${target}v1/rpc`, {
        method: 'POST',
        mode,
        credentials: 'include',
        headers: { 'content-type': type },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'daemon.stop', params: {} }),
      }).then(
        ({ status, type: kind }) => `${kind} ${status}`,
        () => 'refused',
      )
    return [await ask('cors', 'application/json'), await ask('no-cors', 'text/plain')]
  }, url)
  expect(tried[0]).toBe('refused')
  expect(tried[1]).toMatch(/^(?:opaque 0|refused)$/)
  expect((await world.belay(['status'])).code).toBe(0)

  // Browsers send cookies to every port of a host.
  const cookie = cookiesSeen.find(seen => seen?.includes('belay_session='))
  expect(cookie).toBeDefined()
  const stolen = await fetch(`${url}v1/rpc`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: cookie ?? '', origin: url.replace(/\/$/, '') },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'approvals.list', params: {} }),
  })
  expect(stolen.status).toBe(401)
  await context.close()
})
