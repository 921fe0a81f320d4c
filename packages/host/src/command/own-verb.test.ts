// The table of verbs against what is really there: a new command, method or route without a row fails here.
import { isOwnVerb, methodUser, ownCommand } from '@belay/core/match'
import type { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runDaemon, type TestDaemon } from '../daemon/fixtures/run-daemon.ts'
import { MCP_VERBS } from '../mcp/mcp-verb.ts'
import { processIo } from '../terminal/io.ts'
import { askDaemon } from '../wire/daemon-client.ts'
import { nameOf } from './person-only.ts'
import { buildProgram } from './program.ts'

function listCommands(command: Command): readonly Command[] {
  return command.commands.flatMap(each => [each, ...listCommands(each)])
}

const commands = listCommands(buildProgram(processIo(), { code: 0 }))

test('every command has a row, and every option for people exists', () => {
  expect(commands.map(nameOf).filter(name => !isOwnVerb('command', name))).toEqual([])
  const flags = (command: Command) => command.options.flatMap(({ short, long }) => [short, long])
  const missing = commands.flatMap(command => ownCommand(nameOf(command)).personOptions.filter(option => !flags(command).includes(option)))
  expect(missing).toEqual([])
})

test('an option that names a file to be written is for people', () => {
  const writes = commands
    .filter(command => ownCommand(nameOf(command)).user !== 'person')
    .flatMap(command => command.options.map(option => ({ command, option })))
  const open = writes.filter(({ option }) => /<file>|<place/.test(option.flags) && /\bto a file|\bwrite/.test(option.description))
  expect(open.filter(({ command, option }) => !ownCommand(nameOf(command)).personOptions.includes(option.long ?? ''))).toEqual([])
})

test('help of what is for people says so', () => {
  const silent = commands.filter(
    command =>
      ownCommand(nameOf(command)).user === 'person' && command.commands.length === 0 && !command.description().includes('for people'),
  )
  expect(silent.map(nameOf)).toEqual([])
})

test('what agents get as MCP tools is theirs', () => {
  expect(MCP_VERBS.filter(({ method }) => methodUser(method) !== 'agent')).toEqual([])
})

describe('of a running daemon', () => {
  let belay: TestDaemon
  let described: { readonly paths: Record<string, Record<string, unknown>>; readonly methods: readonly string[] }
  beforeAll(async () => {
    belay = await runDaemon({ policy: 'version: "2.0"\n' })
    const answer = await askDaemon({ socket: belay.paths.socket, method: 'GET', path: '/openapi.json' })
    const { paths, components } = (answer.kind === 'answer' ? answer.value : {}) as never as {
      readonly paths: typeof described.paths
      readonly components: {
        readonly schemas: { readonly RpcRequest: { readonly properties: { readonly method: { readonly enum: string[] } } } }
      }
    }
    described = { paths, methods: components.schemas.RpcRequest.properties.method.enum }
  })
  afterAll(() => belay.stop())

  test('every RPC method has a row', () => {
    expect(described.methods.length).toBeGreaterThan(80)
    expect(described.methods.filter(name => !isOwnVerb('method', name))).toEqual([])
  })

  test('every route has a row', () => {
    const routes = Object.entries(described.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`),
    )
    expect(routes.length).toBeGreaterThan(10)
    expect(routes.filter(route => !isOwnVerb('route', route))).toEqual([])
  })

  test('the token of a program is not a person: every method for people is refused, and the attempt is recorded', async () => {
    const { readFileSync } = await import('node:fs')
    const token = readFileSync(belay.paths.token, 'utf8').trim()
    const status = await belay.rpc('daemon.status')
    const url = 'result' in status ? String(status.result.url) : ''
    const forPeople = described.methods.filter(name => methodUser(name) === 'person')
    for (const method of forPeople) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { pid: 1, callerProof: { pid: process.pid } } })
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const reply = (await (await fetch(`${url}v1/rpc`, { method: 'POST', headers, body })).json()) as { error?: { message: string } }
      expect([method, reply.error?.message]).toEqual([method, expect.stringContaining('is for people')])
    }
    const recorded = (await belay.entries('person_check')).map(({ read }) => [read.what, read.granted])
    expect(recorded).toEqual(forPeople.map(method => [method, false]))
  })
})
