// kill -9 at random moments, through the thread that writes: what was acknowledged is there, once, and the ledger is whole. BELAY_TORTURE sets how often.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { locateLedger } from '../ledger/ledger-files.ts'
import { verifyLedger } from '../ledger/verify/verify-ledger.ts'
import { openSqliteStore } from './open-sqlite-store.ts'

const KILLS = Number(process.env.BELAY_TORTURE ?? 6)
const SEED = Number(process.env.BELAY_SEED ?? Date.now() % 1e9)
/** A new home now and then, so that creation is killed too. */
const KILLS_PER_HOME = 10

const source = fileURLToPath(new URL('..', import.meta.url))
const core = join(source, '..', '..', 'core', 'src')
const temp = mkdtempSync(join(tmpdir(), 'belay-crash-'))

beforeAll(async () => {
  const bundle = await rolldown({
    input: {
      server: join(source, 'store', 'fixtures', 'crash-server.ts'),
      'ledger/thread/ledger.worker': join(source, 'ledger', 'thread', 'ledger.worker.ts'),
    },
    platform: 'node',
    external: [/^libsql/],
    resolve: { alias: { '@belay/core/ledger': join(core, 'ledger', 'index.ts') } },
  })
  await bundle.write({ dir: temp, format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: 'chunk/[name].cjs' })
  symlinkSync(join(source, '..', '..', '..', 'node_modules'), join(temp, 'node_modules'))
})

afterAll(() => rmSync(temp, { recursive: true, force: true }))

interface Acknowledged {
  readonly seq: number
  readonly hash: string
}

interface Round {
  readonly home: string
  readonly clients: number
  /** Counted from its start, from when it is up, or from its first answer, so that a slow machine answers something too. */
  readonly from: 'start' | 'up' | 'answer'
  readonly afterMs: number
  readonly acknowledged: Map<string, Acknowledged>
  /** Sent, but not acknowledged before the kill: sent again first, with the same ids. */
  readonly unsure: Set<string>
}

function start(home: string, socket: string): ChildProcess {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env
  return spawn(process.execPath, [join(temp, 'server.cjs'), home, socket], { stdio: ['ignore', 'pipe', 'inherit'], env })
}

/** Sends as fast as it is answered, a few at a time, until the connection dies. */
async function send(socket: string, name: string, { acknowledged, unsure }: Round, onAnswer: () => void): Promise<void> {
  const connection = connect(socket)
  const closed = new Promise(resolve => connection.on('close', resolve))
  const again = [...unsure].filter(id => id.startsWith(`${name}-`))
  const next = (): void => {
    const eventId = again.pop() ?? `${name}-${acknowledged.size}-${unsure.size}-${process.hrtime.bigint()}`
    unsure.add(eventId)
    connection.write(`${JSON.stringify({ eventId, size: eventId.length % 7 === 0 ? 5000 : 100 })}\n`)
  }
  const lines = createInterface({ input: connection })
  // The server dies in the middle of everything: that is the point.
  for (const stream of [connection, lines]) stream.on('error', () => connection.destroy())
  lines.on('line', line => {
    const { eventId, seq, hash } = JSON.parse(line)
    acknowledged.set(eventId, { seq, hash })
    unsure.delete(eventId)
    onAnswer()
    next()
  })
  for (let i = 0; i < 3; i++) next()
  await closed
}

async function killOnce(round: Round, index: number): Promise<number | undefined> {
  const socket = join(temp, `${index}.sock`)
  const server = start(round.home, socket)
  const exit = once(server, 'exit')
  const up = server.stdout ? Promise.race([once(server.stdout, 'data'), exit]) : exit
  let onAnswer: () => void = () => undefined
  const answer = new Promise<void>(resolve => {
    onAnswer = resolve
  })
  const begun: Promise<unknown> = { start: sleep(0), up, answer: Promise.race([answer, exit]) }[round.from]
  const killed = begun.then(() => sleep(round.afterMs)).then(() => server.kill('SIGKILL'))
  const output = await up
  const openedMs = Number(String(output[0]))
  if (server.exitCode === null && Number.isFinite(openedMs)) {
    await Promise.all(Array.from({ length: round.clients }, (_, i) => send(socket, `c${i}`, round, onAnswer)))
  }
  await killed
  await exit
  return Number.isFinite(openedMs) ? openedMs : undefined
}

async function check({ home, acknowledged }: Round): Promise<void> {
  const files = locateLedger(home)
  // The next writer recovers; so does whoever opens it here.
  const writer = await openSqliteStore({ file: files.database })
  await writer.close()
  const report = await verifyLedger({ file: files.database, keysDirectory: files.keys, checkpointFiles: [files.checkpoint] })
  expect(report.faults).toEqual([])
  const store = await openSqliteStore({ file: files.database, readOnly: true })
  const rows = await store.db.selectFrom('ledger').select(['seq', 'hash', 'body']).where('kind', '=', 'decision').execute()
  await store.close()
  const ids = rows.map(row => JSON.parse(String(row.body)).eventId)
  expect(new Set(ids).size, 'no event is there twice').toBe(ids.length)
  const found = new Map(rows.map((row, i) => [ids[i], { seq: row.seq, hash: row.hash }]))
  const lost = [...acknowledged].filter(([id, { seq, hash }]) => found.get(id)?.seq !== seq || found.get(id)?.hash !== hash)
  expect(lost, 'nothing acknowledged is lost or moved').toEqual([])
}

test.each([1, 4])(
  `%i clients, ${KILLS} kills, BELAY_SEED=${SEED}`,
  async clients => {
    let home = ''
    let round: Round | undefined
    let records = 0
    const openings: number[] = []
    for (let kill = 0; kill < KILLS; kill++) {
      // Any spread will do.
      const afterMs = 40 + ((((SEED + kill * 7919 + clients) * 48271) % 2147483647) % 400)
      if (kill % KILLS_PER_HOME === 0) {
        records += round?.acknowledged.size ?? 0
        home = join(temp, `home-${clients}-${kill}`)
        mkdirSync(home)
        round = undefined
      }
      round = {
        home,
        clients,
        afterMs,
        from: (['start', 'up', 'answer'] as const)[kill % 3] ?? 'start',
        acknowledged: round?.acknowledged ?? new Map(),
        unsure: round?.unsure ?? new Set(),
      }
      const openedMs = await killOnce(round, clients * 10_000 + kill)
      if (openedMs !== undefined) openings.push(openedMs)
      await check(round)
    }
    records += round?.acknowledged.size ?? 0
    expect(records).toBeGreaterThan(0)
    console.log(`${clients} clients: ${KILLS} kills, ${records} records acknowledged, slowest restart ${Math.max(...openings)} ms`)
  },
  3_600_000,
)
