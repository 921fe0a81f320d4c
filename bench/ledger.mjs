// What a durable record costs, beside the disk itself and beside plain SQLite; how fast a ledger is checked; whether memory stays flat.
// The single-record rows are measured in turns inside one run, so that a busy machine is busy for all of them.
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const { openLedger, verifyLedger, loadDriver } = await bundleLedger()
const TURNS = Number(process.env.BELAY_BENCH_TURNS ?? 1500)
const RECORDS = Number(process.env.BELAY_BENCH_RECORDS ?? 200_000)
const PRODUCERS = 64

const folder = mkdtempSync(join(process.env.BELAY_BENCH_DIR ?? tmpdir(), 'belay-bench-'))
const body = {
  event: 'PreToolUse',
  agent: 'claude-code',
  cwd: '/home/ana/project',
  tool: 'Bash',
  toolUseId: 'toolu_01A09q90qw90lq917835lq9',
  input: { command: 'npm test -- --reporter=dot packages/core/src/ledger', description: 'Run the tests of the ledger', timeout: 120_000 },
  verdict: 'allow',
  reason: 'Bash(npm test *) allows it',
  hooks: [{ name: 'genesis', scope: 'policy', outcome: 'success', startMs: 0.02, tookMs: 0.011, source: '.belay/genesis.key:14:5' }],
  answer: { stdout: '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}', exit: 0 },
}
const draft = {
  actor: 'agent:claude-code',
  session: 'b1946ac9-2492-4d23-8d3e-0a1f0c2b7a11',
  kind: 'decision',
  policy: 'f'.repeat(64),
  body,
}
const bytes = Buffer.from(JSON.stringify({ ...draft, padding: 'x'.repeat(300) }))

try {
  await measureSingles()
  await measureMany()
} finally {
  rmSync(folder, { recursive: true })
}

async function measureSingles() {
  const disk = openDisk()
  const plain = await openPlain('plain.db')
  const ledger = await openLedger({ home: join(folder, 'single') })
  const rows = {
    'write + fdatasync, 1 KB': () => disk.append(),
    'plain SQLite insert, FULL': () => plain.insert(1),
    'ledger append, 1 producer': () => ledger.append(draft),
  }
  const times = await inTurns(rows, TURNS)
  await ledger.close()
  plain.close()
  disk.close()
  const [floor, sqlite, ours] = Object.keys(rows).map(name => percentile(times.get(name), 0.5))
  print(
    'one durable record (us)',
    ['', 'p50', 'p99'],
    Object.keys(rows).map(name => [name, percentile(times.get(name), 0.5), percentile(times.get(name), 0.99)]),
  )
  console.log(
    `ledger / plain SQLite ${(ours / sqlite).toFixed(2)} (budget 1.3), ledger / fdatasync ${(ours / floor).toFixed(2)} (budget 2.2)\n`,
  )
}

async function measureMany() {
  const plain = await openPlain('batch.db')
  const plainRate = rate(RECORDS / 4, () => {
    for (let i = 0; i < RECORDS / 4; i += 100) plain.insert(100)
  })
  plain.close()

  const home = join(folder, 'many')
  const ledger = await openLedger({ home })
  const memory = [rss()]
  const waits = new Float64Array(RECORDS)
  let appended = 0
  const started = performance.now()
  let left = RECORDS
  const produce = async () => {
    while (left > 0) {
      left--
      const at = performance.now()
      await ledger.append(draft)
      waits[appended++] = (performance.now() - at) * 1000
      if (appended % Math.ceil(RECORDS / 5) === 0) memory.push(rss())
    }
  }
  await Promise.all(Array.from({ length: PRODUCERS }, produce))
  const appendRate = (RECORDS / (performance.now() - started)) * 1000
  await ledger.close()

  const openedAt = performance.now()
  await (await openLedger({ home })).close()
  const openMs = performance.now() - openedAt

  const file = join(home, 'belay.db')
  const verifiedAt = performance.now()
  const checkedMemory = []
  let next = 0
  const report = await verifyLedger({
    file,
    keysDirectory: join(home, 'keys'),
    onProgress: ({ done }) => {
      if (done < next) return
      next += Math.ceil(RECORDS / 5)
      checkedMemory.push(rss())
    },
  })
  const verifySeconds = (performance.now() - verifiedAt) / 1000
  print(
    `${RECORDS} records`,
    ['', ''],
    [
      ['plain SQLite, 100-row batches, records/s', plainRate],
      [`ledger append, ${PRODUCERS} producers, records/s`, appendRate],
      ['  wait p50 (us)', percentile(waits, 0.5)],
      ['  wait p99 (us)', percentile(waits, 0.99)],
      ['open and close again (ms)', openMs],
      ['verify, records/s', report.records / verifySeconds],
      ['database (MB)', statSync(file).size / 1e6],
    ],
  )
  console.log(`ledger / plain batches ${(appendRate / plainRate).toFixed(2)} (budget 0.4); verify ok: ${report.ok}`)
  console.log(`memory while appending (MB): ${memory.join(' ')}; while verifying: ${checkedMemory.join(' ')}`)
}

/** The host has no library to import from: its parts are bundled here as they are for the command. */
async function bundleLedger() {
  const source = new URL('../packages/host/src/', import.meta.url).pathname
  const target = new URL('../.cache/bench-ledger/', import.meta.url).pathname
  const input = {
    'open-ledger': `${source}ledger/open-ledger.ts`,
    'verify-ledger': `${source}ledger/verify/verify-ledger.ts`,
    'load-driver': `${source}store/driver/load-driver.ts`,
    'ledger/verify/verify.worker': `${source}ledger/verify/verify.worker.ts`,
  }
  const bundle = await rolldown({ input, platform: 'node', external: [/^libsql/] })
  await bundle.write({ dir: target, format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: 'chunk/[name].cjs' })
  const parts = await Promise.all(
    ['open-ledger', 'verify-ledger', 'load-driver'].map(name => import(pathToFileURL(`${target}${name}.cjs`))),
  )
  return Object.assign({}, ...parts)
}

function openDisk() {
  const descriptor = openSync(join(folder, 'disk'), 'w')
  const append = () => {
    writeSync(descriptor, bytes)
    fdatasyncSync(descriptor)
  }
  return { append, close: () => closeSync(descriptor) }
}

/** The same columns in a table without indexes, triggers or hashes. */
async function openPlain(name) {
  const connection = (await loadDriver())(join(folder, name), { readOnly: false })
  for (const pragma of ['journal_mode = WAL', 'synchronous = FULL', 'wal_autocheckpoint = 0']) connection.exec(`PRAGMA ${pragma}`)
  connection.exec(
    'CREATE TABLE t (seq INTEGER PRIMARY KEY, id TEXT, time TEXT, actor TEXT, session TEXT, kind TEXT, policy TEXT, body TEXT, a TEXT, b TEXT, c TEXT) STRICT',
  )
  const statement = connection.prepare('INSERT INTO t VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  let seq = 0
  const insert = count => {
    connection.exec('BEGIN IMMEDIATE')
    for (let i = 0; i < count; i++) {
      seq++
      const hash = 'a'.repeat(64)
      statement.run([
        seq,
        `id-${seq}`,
        new Date().toISOString(),
        draft.actor,
        draft.session,
        draft.kind,
        draft.policy,
        JSON.stringify(body),
        hash,
        hash,
        hash,
      ])
    }
    connection.exec('COMMIT')
  }
  return { insert, close: () => connection.close() }
}

async function inTurns(rows, turns) {
  const times = new Map(Object.keys(rows).map(name => [name, []]))
  for (let turn = 0; turn < turns; turn++) {
    for (const [name, run] of Object.entries(rows)) {
      const at = performance.now()
      await run()
      times.get(name).push((performance.now() - at) * 1000)
    }
  }
  return times
}

function rate(count, run) {
  const at = performance.now()
  run()
  return (count / (performance.now() - at)) * 1000
}

function percentile(values, part) {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]
}

function rss() {
  return Math.round(process.memoryUsage.rss() / 1e6)
}

function print(title, header, rows) {
  console.log(title)
  for (const [name, ...values] of [header, ...rows]) {
    console.log(
      `  ${String(name).padEnd(44)}${values.map(value => (typeof value === 'number' ? Math.round(value) : value).toString().padStart(10)).join('')}`,
    )
  }
}
