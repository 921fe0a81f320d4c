// What a durable record costs, beside the disk itself and beside plain SQLite; what is left of it on the thread that asks; how fast a ledger
// is checked, a core and all cores; whether memory stays flat. Rows of one table are measured in turns inside one run, so that a busy machine
// is busy for all of them. BELAY_BENCH_RECORDS=1000000 gives the rows over 10^6 records.
import { spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { closeSync, existsSync, fdatasyncSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const TURNS = Number(process.env.BELAY_BENCH_TURNS ?? 1500)
const RECORDS = Number(process.env.BELAY_BENCH_RECORDS ?? 200_000)
const PRODUCERS = 64
/** Ledger and plain inserts take turns, so that each pair is measured in the same moment. */
const ROUNDS = 10
const WARM_UP = 4000
const VERIFY_TURNS = 3
const PAGE_ROWS = 256
const target = fileURLToPath(new URL('../.cache/bench-ledger/', import.meta.url))

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

const [, , job, ...words] = process.argv
if (job === 'verify') await verifyHere(...words)
else if (job === 'read') await readHere(...words)
else await measureAll()

async function measureAll() {
  const parts = await bundleLedger()
  const folder = mkdtempSync(join(process.env.BELAY_BENCH_DIR ?? tmpdir(), 'belay-bench-'))
  try {
    measureWork(parts)
    await measureSingles(parts, folder)
    await measureMany(parts, folder)
    measureVerify(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** CPU of everything between a draft and the database. */
function measureWork({ createRedactor, canonicalJson, encodeBodyJson, prepareEntry, chainEntry, growTree, EMPTY_TREE }) {
  const { redactJson } = createRedactor({ key: new Uint8Array(32) })
  const id = '01900000-0000-7000-8000-000000000000'
  let tree = EMPTY_TREE
  let prev = '0'.repeat(64)
  const json = canonicalJson(body)
  const rows = {
    'JSON.stringify alone': () => JSON.stringify(body),
    'SHA-256 of the record alone': () => hash('sha256', json, 'hex'),
    'on the asking thread: canonical JSON': () => canonicalJson(body),
    'on the writing thread: secrets, hashes, chain, tree': () => {
      const entry = chainEntry(
        prepareEntry({ ...draft, body: encodeBodyJson(redactJson(json)).json }, id, 1.7e12, 'abcdefghijklmnopqrstuv'),
        tree.size + 1,
        prev,
      )
      prev = entry.hash
      tree = growTree(tree, Buffer.from(entry.hash, 'hex')).tree
    },
  }
  const best = Object.entries(rows).map(([name, run]) => [name, cpuOf(run).toFixed(1)])
  print(`one record of ${json.length} bytes before the database (us CPU)`, ['', 'best'], best)
  const [, , ours, theirs] = best.map(([, us]) => Number(us))
  console.log(`together ${(ours + theirs).toFixed(1)} us (target 15)\n`)
}

function cpuOf(run) {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < 6; round++) {
    const begun = process.cpuUsage()
    for (let i = 0; i < 5000; i++) run()
    const { user, system } = process.cpuUsage(begun)
    best = Math.min(best, (user + system) / 5000)
  }
  return best
}

async function measureSingles({ openLedger, openLedgerThread, openRedactor, loadDriver }, folder) {
  const disk = openDisk(folder)
  const plain = await openPlain(loadDriver, join(folder, 'plain.db'))
  const ledger = await openLedger({ home: join(folder, 'single'), redactor: openRedactor(folder) })
  const thread = await openLedgerThread({ home: join(folder, 'thread'), onWarning: console.error, onDeath: console.error })
  // A daemon has been running for a while, and had a moment to itself.
  for (const one of [ledger, thread]) await produce(one, WARM_UP, () => undefined)
  await sleep(1000)
  const rows = {
    'write + fdatasync, 1 KB': () => disk.append(),
    'plain SQLite insert, FULL': () => plain.insert(1),
    'ledger append, 1 producer': () => ledger.append(draft),
    'ledger append through its thread': () => thread.append(draft),
  }
  const times = await inTurns(rows, TURNS)
  await ledger.close()
  await thread.close()
  plain.close()
  disk.close()
  const [floor, sqlite, ours] = Object.keys(rows).map(name => percentile(times.get(name), 0.5))
  print(
    'one durable record (us)',
    ['', 'p10', 'p50', 'p99'],
    Object.keys(rows).map(name => [name, ...[0.1, 0.5, 0.99].map(part => percentile(times.get(name), part))]),
  )
  console.log(
    `ledger / plain SQLite ${(ours / sqlite).toFixed(2)} (budget 1.3), ledger / fdatasync ${(ours / floor).toFixed(2)} (budget 2.2)\n`,
  )
}

async function measureMany({ openLedger, openLedgerThread, openRedactor, loadDriver }, folder) {
  const plain = await openPlain(loadDriver, join(folder, 'batch.db'))
  const shared = groupCommit(plain)
  const here = await openLedger({ home: join(folder, 'many'), redactor: openRedactor(folder) })
  const thread = await openLedgerThread({ home: join(folder, 'thread'), onWarning: console.error, onDeath: console.error })
  const plainRounds = []
  const sharedRounds = []
  const rounds = []
  const threadRounds = []
  for (let round = 0; round < ROUNDS; round++) {
    plainRounds.push(measurePlain(plain, RECORDS / ROUNDS / 4))
    sharedRounds.push(await measureProducers(shared, RECORDS / ROUNDS / 4))
    rounds.push(await measureProducers(here, RECORDS / ROUNDS))
    threadRounds.push(await measureProducers(thread, RECORDS / ROUNDS / 4))
  }
  plain.close()
  await here.close()
  await thread.close()
  const appended = joinRounds(rounds)
  const through = joinRounds(threadRounds)
  const floor = joinRounds(sharedRounds)
  const plainRate = median(plainRounds.map(({ rate }) => rate))
  const ratio = median(rounds.map(({ rate }, round) => rate / plainRounds[round].rate))
  const cpuRatio = median(rounds.map(({ cpu }, round) => plainRounds[round].cpu / cpu))
  const beside = taken => median(taken.map(({ rate }, round) => rate / sharedRounds[round].rate)).toFixed(2)
  const openedAt = performance.now()
  await (await openLedger({ home: join(folder, 'many') })).close()
  const openMs = performance.now() - openedAt
  const row = name => [appended, through, floor].map(result => result[name])
  print(
    `${PRODUCERS} producers, ${RECORDS} records here and ${RECORDS / 4} through the thread, beside plain SQLite that commits once a turn`,
    ['', 'here', 'thread', 'plain'],
    [
      ['records/s', ...row('rate')],
      ['wait p50 (us)', ...row('p50')],
      ['wait p99 (us)', ...row('p99')],
      ['CPU of the asking thread (us/record)', ...row('cpu')],
    ],
  )
  print(
    '',
    ['', ''],
    [
      ['plain SQLite, 100-row batches, records/s', plainRate],
      ['the same, CPU (us/record)', median(plainRounds.map(({ cpu }) => cpu))],
      ['open and close again (ms)', openMs],
    ],
  )
  console.log(
    `ledger / plain batches ${ratio.toFixed(2)}, by CPU ${cpuRatio.toFixed(2)} (budget 0.4), p99 ${(appended.p99 / 1000).toFixed(1)} ms (budget 4)`,
  )
  // The budget stands beside plain group commits of 92,000 to 100,000 records/s with a p99 of 1.1 to 1.5 ms: where those are slower, so are we.
  console.log(
    `p99 / plain group commit ${(appended.p99 / floor.p99).toFixed(2)} (4 ms beside 1.3: 3.1), records/s ${beside(rounds)} (budget 0.6), through the thread ${beside(threadRounds)} (budget 0.4)`,
  )
  console.log(`memory while appending (MB): ${appended.memory.join(' ')}\n`)
}

/** Whatever is asked for in one turn of the event loop goes to disk together, as the ledger does it. */
function groupCommit(plain) {
  let waiting = []
  const flush = () => {
    const batch = waiting
    waiting = []
    plain.insert(batch.length)
    for (const resolve of batch) resolve()
  }
  const append = () =>
    new Promise(resolve => {
      if (waiting.push(resolve) === 1) setImmediate(flush)
    })
  return { append }
}

function measurePlain(plain, count) {
  const cpu = readThreadCpu()
  const started = performance.now()
  for (let i = 0; i < count; i += 100) plain.insert(100)
  return { rate: (count / (performance.now() - started)) * 1000, cpu: (readThreadCpu() - cpu) / count }
}

function joinRounds(rounds) {
  const of = name => rounds.map(round => round[name])
  const waits = rounds.flatMap(round => [...round.waits])
  return {
    rate: median(of('rate')),
    cpu: median(of('cpu')),
    memory: rounds.map(round => round.memory.at(-1)),
    p50: percentile(waits, 0.5),
    p99: percentile(waits, 0.99),
  }
}

async function measureProducers(ledger, count) {
  const waits = new Float64Array(count)
  const memory = [rss()]
  let done = 0
  const cpu = readThreadCpu()
  const started = performance.now()
  await produce(ledger, count, us => {
    waits[done++] = us
    if (done % Math.ceil(count / 5) === 0) memory.push(rss())
  })
  const rate = (count / (performance.now() - started)) * 1000
  return { rate, memory, waits, p50: percentile(waits, 0.5), p99: percentile(waits, 0.99), cpu: (readThreadCpu() - cpu) / count }
}

async function produce(ledger, count, onWait) {
  let left = count
  const work = async () => {
    while (left-- > 0) {
      const at = performance.now()
      await ledger.append(draft)
      onWait((performance.now() - at) * 1000)
    }
  }
  await Promise.all(Array.from({ length: PRODUCERS }, work))
}

/** In processes of their own: what was appended here before would be part of the memory. */
function measureVerify(folder) {
  const home = join(folder, 'many')
  const run = (...args) => {
    const { stdout } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), ...args], { encoding: 'utf8' })
    return JSON.parse(stdout)
  }
  const turns = Array.from({ length: VERIFY_TURNS }, () => ({
    bare: run('read', home),
    one: run('verify', home, '0'),
    all: run('verify', home, ''),
  }))
  const middle = (name, value) => median(turns.map(turn => turn[name][value]))
  const row = (title, value) => [title, ...['one', 'all', 'bare'].map(name => middle(name, value))]
  print(
    `verify ${RECORDS} records, ${VERIFY_TURNS} times in turns`,
    ['', 'one core', 'all cores', 'read only'],
    [row('records/s', 'rate'), row('CPU (us/record)', 'cpu'), row('JavaScript heap at the end (MB)', 'heap')],
  )
  const floor = cpuOf(() => hash('sha256', bytes, 'hex'))
  const isGood = turns.every(({ one, all }) => one.ok && all.ok)
  console.log(
    `${Math.round(1e6 / middle('one', 'cpu'))} records/s a core by CPU (budget 200000; the hash alone ${Math.round(1e6 / floor)}); ok: ${isGood}`,
  )
  console.log(
    `every row read through the driver and its body hashed once, nothing checked: ${Math.round(1e6 / middle('bare', 'cpu'))} records/s a core`,
  )
  const { one, all } = turns[0]
  console.log(`memory while verifying (MB): ${one.memory.join(' ')}; on all cores: ${all.memory.join(' ')}`)
  console.log(`database ${Math.round(statSync(join(home, 'belay.db')).size / 1e6)} MB`)
}

/** What no check can do without. */
async function readHere(home) {
  const { loadDriver } = await import(pathToFileURL(`${target}load-driver.cjs`))
  const connection = (await loadDriver())(join(home, 'belay.db'), { readOnly: true })
  const columns = 'seq, id, time, actor, session, kind, policy, body, body_hash, prev, hash'
  const page = connection.prepare(`SELECT ${columns} FROM ledger WHERE seq BETWEEN ? AND ?`)
  let records = 0
  await reportWork(() => {
    for (let first = 1; first <= RECORDS; first += PAGE_ROWS) {
      for (const row of page.rows([first, first + PAGE_ROWS - 1])) {
        hash('sha256', row[7], 'hex')
        records++
      }
    }
    return { records }
  })
  connection.close()
}

async function reportWork(work) {
  const cpu = process.cpuUsage()
  const started = performance.now()
  const { records, ...more } = await work()
  const seconds = (performance.now() - started) / 1000
  const { user, system } = process.cpuUsage(cpu)
  const heap = Math.round(process.memoryUsage().heapUsed / 1e6)
  process.stdout.write(JSON.stringify({ ...more, heap, rate: records / seconds, cpu: (user + system) / records }))
}

async function verifyHere(home, threads) {
  const { verifyLedger } = await import(pathToFileURL(`${target}verify-ledger.cjs`))
  const memory = []
  let next = 0
  await reportWork(async () => {
    const { ok, records } = await verifyLedger({
      file: join(home, 'belay.db'),
      keysDirectory: join(home, 'keys'),
      checkpointFiles: [join(home, 'checkpoint.note')],
      ...(threads === '' ? {} : { workers: Number(threads) }),
      onProgress: ({ done, total }) => {
        if (done < next) return
        next += Math.ceil(total / 5)
        memory.push(rss())
      },
    })
    return { ok, records, memory }
  })
}

/** The host has no library to import from: its parts are bundled here, from the sources, as they are for the command. */
async function bundleLedger() {
  const [host, core] = ['host', 'core'].map(name => fileURLToPath(new URL(`../packages/${name}/src/`, import.meta.url)))
  const parts = {
    'open-ledger': `${host}ledger/open-ledger.ts`,
    'open-ledger-thread': `${host}ledger/thread/open-ledger-thread.ts`,
    'body-redactor': `${host}ledger/body-redactor.ts`,
    'verify-ledger': `${host}ledger/verify/verify-ledger.ts`,
    'load-driver': `${host}store/driver/load-driver.ts`,
    core: `${core}ledger/index.ts`,
  }
  const threads = Object.fromEntries(
    ['ledger/thread/ledger.worker', 'ledger/verify/verify.worker'].map(name => [name, `${host}${name}.ts`]),
  )
  const alias = { '@belay/core/ledger': parts.core }
  const bundle = await rolldown({ input: { ...parts, ...threads }, platform: 'node', external: [/^libsql/], resolve: { alias } })
  await bundle.write({ dir: target, format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: 'chunk/[name].cjs' })
  return Object.assign({}, ...(await Promise.all(Object.keys(parts).map(name => import(pathToFileURL(`${target}${name}.cjs`))))))
}

function openDisk(folder) {
  const descriptor = openSync(join(folder, 'disk'), 'w')
  const append = () => {
    writeSync(descriptor, bytes)
    fdatasyncSync(descriptor)
  }
  return { append, close: () => closeSync(descriptor) }
}

/** The same columns in a table without indexes, triggers or hashes. */
async function openPlain(loadDriver, file) {
  const connection = (await loadDriver())(file, { readOnly: false })
  for (const pragma of ['journal_mode = WAL', 'synchronous = FULL', 'wal_autocheckpoint = 0']) connection.exec(`PRAGMA ${pragma}`)
  connection.exec(
    'CREATE TABLE t (seq INTEGER PRIMARY KEY, id TEXT, time TEXT, actor TEXT, session TEXT, kind TEXT, policy TEXT, body TEXT, a TEXT, b TEXT, c TEXT) STRICT',
  )
  const statement = connection.prepare('INSERT INTO t VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const { actor, session, kind, policy } = draft
  let seq = 0
  const insert = count => {
    connection.exec('BEGIN IMMEDIATE')
    for (let i = 0; i < count; i++) {
      seq++
      const sum = 'a'.repeat(64)
      statement.run([seq, `id-${seq}`, new Date().toISOString(), actor, session, kind, policy, JSON.stringify(body), sum, sum, sum])
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

/** Of this thread alone where the system says, else of the process. */
function readThreadCpu() {
  const file = `/proc/self/task/${process.pid}/schedstat`
  if (existsSync(file)) return Number(readFileSync(file, 'utf8').split(' ')[0]) / 1000
  const { user, system } = process.cpuUsage()
  return user + system
}

function median(values) {
  return percentile(values, 0.5)
}

function percentile(values, part) {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]
}

function rss() {
  return Math.round(process.memoryUsage.rss() / 1e6)
}

function print(title, header, rows) {
  if (title !== '') console.log(title)
  for (const [name, ...values] of [header, ...rows]) {
    const cells = values.map(value => (typeof value === 'number' ? (value < 100 ? value.toFixed(1) : Math.round(value)) : value))
    console.log(`  ${String(name).padEnd(52)}${cells.map(cell => String(cell).padStart(10)).join('')}`)
  }
}
