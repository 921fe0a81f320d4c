// up and down as people and hooks race for them, with real processes.
import { writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BundledCli, bundleCli } from '../supervisor/fixtures/bundled-cli.ts'

let cli: BundledCli

beforeAll(async () => {
  cli = await bundleCli()
})
afterAll(async () => {
  await cli.run(['down'])
  cli.remove()
})

test('however many come at once, one daemon is up and everybody is told so', async () => {
  const all = await Promise.all(Array.from({ length: 6 }, () => cli.run(['up', '--detach', '--json'])))
  expect(all.map(({ code, err }) => [code, err])).toEqual(all.map(() => [0, '']))
  expect(new Set(all.map(({ out }) => JSON.parse(out).pid)).size).toBe(1)
  expect((await cli.run(['down'])).code).toBe(0)
})

test.each([
  ['99999', 'It is no whole number from 0 to 65535.'],
  ['x', 'It is no whole number from 0 to 65535.'],
])('--port %s is bad usage', async (port, why) => {
  const { code, err } = await cli.run(['up', '--detach', '--port', port])
  expect([code, err]).toEqual([2, expect.stringContaining(why)])
})

test('why it did not come up is said', async () => {
  const other = createServer()
  await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as AddressInfo
  const { code, err } = await cli.run(['up', '--detach', '--port', String(port)])
  other.close()
  expect([code, err]).toEqual([2, expect.stringContaining(`cannot listen on 127.0.0.1:${port}: EADDRINUSE`)])
})

test('a home that cannot be one is said, not thrown', async () => {
  const file = join(cli.folder, 'no-folder')
  writeFileSync(file, '')
  const { code, err } = await cli.run(['up', '--detach'], { env: { BELAY_HOME: file } })
  expect([code, err]).toEqual([
    2,
    expect.stringMatching(/^belay: ENOTDIR.*no-folder[^\n]*\n {2}Belay keeps its records in [^\n]*BELAY_HOME\n$/),
  ])
})
