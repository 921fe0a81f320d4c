// A hub with a certificate of the team's own: a machine knows it by its issuer and by nobody else, at every door that leads to the hub.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCertificate } from './fixtures/certificate.ts'
import { makeTeamWorld, type TeamWorld } from './fixtures/team-world.ts'

let world: TeamWorld
let token: string
const file = (name: string): string => join(world.folder, name)

beforeAll(async () => {
  world = await makeTeamWorld()
  ;({ adminToken: token } = JSON.parse(world.belayHub('init', '--admin', 'ana', '--json').out))
  useCertificate('own')
  writeFileSync(file('other.crt'), makeCertificate().certificate)
  writeFileSync(file('none.crt'), 'nothing')
})
afterAll(() => world.close())

function useCertificate(name: string): void {
  const { certificate, key } = makeCertificate()
  writeFileSync(file(`${name}.crt`), certificate)
  writeFileSync(file(`${name}.key`), key)
  writeFileSync(file('belay-hub.toml'), `tls_cert = "${name}.crt"\ntls_key = "${name}.key"\n`)
}

test('a machine joins, sends, asks and leaves over TLS, and tells nothing to a hub with another certificate', async () => {
  const first = await world.startHub()
  const url = first.url.replace('127.0.0.1', 'localhost')
  expect(url).toMatch(/^https:/)
  const home = await world.startMachine('a')
  const invitation = world.joinToken()
  const join = (...more: string[]) => world.belay(home, 'join', url, invitation, ...more)
  expect(join()).toMatchObject({ code: 2, out: expect.stringContaining('join --ca FILE') })
  expect(join('--ca', file('other.crt'))).toMatchObject({ code: 2, out: expect.stringContaining('certificate') })
  expect(join('--ca', file('none.crt'))).toMatchObject({ code: 2, out: expect.stringContaining('certificates in PEM') })
  expect(join('--ca', file('own.crt'))).toMatchObject({ code: 0 })
  expect(world.belay(home, 'ledger', 'checkpoint')).toMatchObject({ code: 0 })
  const sent = () => {
    const state = world.stateOf(home)
    return state !== null && state.error === null && state.head > 0 && state.cosigned === state.head
  }
  await expect.poll(sent).toBe(true)
  expect(world.belayAs({ BELAY_HUB_TOKEN: token }, home, 'team', 'approvals')).toMatchObject({ code: 0 })

  first.hub.kill('SIGTERM')
  await new Promise(resolve => first.hub.once('exit', resolve))
  useCertificate('foreign')
  const second = await world.startHub(Number(new URL(url).port))
  await expect.poll(() => world.stateOf(home)?.error).toMatch(/certificate/)
  second.hub.kill('SIGTERM')
  await new Promise(resolve => second.hub.once('exit', resolve))
  expect(world.belay(home, 'leave')).toMatchObject({ code: 0, out: expect.stringContaining('the hub was not told') })
})
