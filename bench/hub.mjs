// How many entries a hub takes in a second: one process, 1, 2 and 4 machines that upload batches of 500 over HTTP, every hash checked and
// every checkpoint cosigned; beside pgbench, which puts the same rows into a table of the same shape in equal batches and checks nothing,
// by as many connections, in the same run and on the same server. And how many bytes an entry takes.
import { execFile, spawn } from 'node:child_process'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import {
  canonicalJson,
  chainEntry,
  createNoteKey,
  EMPTY_TREE,
  formatCheckpoint,
  formatNoteKey,
  GENESIS_HASH,
  growTreeBy,
  prepareEntry,
  readBodyHead,
  signNote,
  treeRoot,
} from '../packages/core/dist/ledger/index.js'
import { parseJoinToken, signStatement } from '../packages/core/dist/team/index.js'
import { query, startPostgres } from '../packages/hub/dist/demo/throw-away-postgres.js'

const BATCH = 500
const BATCHES = Number(process.env.BELAY_BENCH_BATCHES ?? 60)
const UPLOADERS = [1, 2, 4]
const BUDGET = 0.5
const HUB = fileURLToPath(new URL('../packages/hub/bin/belay-hub.cjs', import.meta.url))

const folder = mkdtempSync(join(tmpdir(), 'belay-bench-hub-'))
// As a person would run it: a commit is on disk.
const postgres = await startPostgres({ isDurable: true })
const databaseUrl = await postgres.createDatabase()
const env = { PATH: process.env.PATH, HOME: folder, BELAY_HUB_DATABASE_URL: databaseUrl, BELAY_HUB_KEY_FILE: join(folder, 'hub.key') }
// Not in step with it: a connection that nobody looks after for seconds is closed by the other side.
const run = promisify(execFile)
const belayHub = (...args) => run(process.execPath, [HUB, ...args], { cwd: folder, env })
let hub
try {
  await belayHub('init')
  const url = await startHub()
  const rows = []
  for (const count of UPLOADERS) {
    // In turns, twice each: what else the machine does falls on both.
    const [first, peer, second, again] = [
      await uploadAll(url, count),
      await insertAll(count),
      await uploadAll(url, count),
      await insertAll(count),
    ]
    rows.push({ count, ours: (first + second) / 2, theirs: (peer + again) / 2 })
  }
  await print(rows)
  process.exitCode = rows.every(({ ours, theirs }) => ours / theirs >= BUDGET) ? 0 : 1
} finally {
  hub?.kill('SIGKILL')
  await postgres.close()
  rmSync(folder, { recursive: true, force: true })
}

async function startHub() {
  hub = spawn(process.execPath, [HUB, 'up', '--port', '0'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  return new Promise((resolve, reject) => {
    hub.once('exit', code => reject(new Error(`the hub ended with ${code}`)))
    hub.stdout.on('data', chunk => {
      const [, url] = /answers at (\S+)/.exec(String(chunk)) ?? []
      if (url !== undefined) resolve(url)
    })
  })
}

/** Everything that a machine would send, made before the clock runs. */
function prepareMachine() {
  const origin = `belay.local/ledger/${randomBytes(8).toString('hex')}`
  const ledgerKey = signer(origin)
  let [tree, prev] = [EMPTY_TREE, GENESIS_HASH]
  const bodies = []
  for (let batch = 0; batch < BATCHES; batch++) {
    const from = batch * BATCH
    const before = prev
    const entries = []
    const hashes = []
    for (let n = 0; n < BATCH; n++) {
      const entry = makeEntry(from + n, prev)
      prev = entry.hash
      hashes.push(Buffer.from(entry.hash, 'hex'))
      entries.push(headOf(entry))
    }
    tree = growTreeBy(tree, Buffer.concat(hashes)).tree
    const checkpoint = signNote(formatCheckpoint({ origin, size: tree.size, root: treeRoot(tree) }), [ledgerKey])
    const head = { seq: tree.size, hash: prev }
    const body = { from, prev: before, head, entries, checkpoint, keys: [formatNoteKey(ledgerKey)], status: { version: '0' } }
    bodies.push(gzipSync(JSON.stringify(body)))
  }
  return { origin, ledgerKey, loginKey: signer(`belay.machine/${randomBytes(8).toString('hex')}`), bodies }
}

function makeEntry(at, prev) {
  const input = { command: `npm test -- --run src/part-${at % 97}.test.ts` }
  const body = canonicalJson({
    tool: 'Bash',
    verdict: at % 9 === 0 ? 'deny' : 'allow',
    rule: { id: `rule-${at % 13}` },
    judge: 'a1b2c3d4e5f6',
    input,
  })
  const draft = { actor: 'agent:executor', session: 'session-1', kind: 'pre_tool_use', policy: `sha256:${'ab'.repeat(32)}`, body }
  const id = `01J${String(at).padStart(8, '0')}${randomBytes(7).toString('hex')}`
  return chainEntry(prepareEntry(draft, id, Date.now(), randomBytes(16).toString('base64url')), at + 1, prev)
}

function headOf({ id, time, actor, session, kind, policy, body, bodyHash }) {
  return { format: 2, id, time, actor, session, kind, policy, bodyHash, ...readBodyHead(body) }
}

function signer(name) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  return { ...createNoteKey(name, publicKey), privateKey }
}

/** Entries a second. */
async function uploadAll(url, count) {
  const machines = []
  for (let n = 0; n < count; n++) machines.push(await joinHub(url, prepareMachine()))
  const begun = performance.now()
  await Promise.all(
    machines.map(async ({ token, bodies }) => {
      for (const body of bodies) {
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-encoding': 'gzip' }
        const answer = await fetch(`${url}/v1/upload`, { method: 'POST', headers, body })
        if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`)
        await answer.arrayBuffer()
      }
    }),
  )
  return (count * BATCHES * BATCH) / ((performance.now() - begun) / 1000)
}

async function joinHub(url, machine) {
  const { origin, ledgerKey, loginKey, bodies } = machine
  const { token: joinToken } = JSON.parse((await belayHub('token', 'join', '--json')).stdout)
  const login = formatNoteKey(loginKey)
  const endorsement = signStatement('machine', [origin, login], ledgerKey)
  const secret = parseJoinToken(joinToken).secret
  const asked = { secret, name: 'bench', labels: {}, origin, endorsement, loginKey: login, ledgerKey: formatNoteKey(ledgerKey) }
  const { machine: id } = await post(url, '/v1/join', asked)
  const { challenge } = await post(url, '/v1/challenge', { machine: id })
  const { token } = await post(url, '/v1/login', { machine: id, challenge, signature: signStatement('login', [id, challenge], loginKey) })
  return { token, bodies }
}

async function post(url, path, body) {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

/** pgbench: the same rows by the same number of connections, each batch one statement and one commit. */
async function insertAll(count) {
  const file = join(folder, 'insert.sql')
  writeFileSync(file, `\\set base :base + ${BATCH}\n${insertText()}\n`)
  await query(databaseUrl, 'DROP TABLE IF EXISTS peer')
  await query(databaseUrl, 'CREATE TABLE peer (LIKE entry INCLUDING DEFAULTS, PRIMARY KEY (chain, seq, day))')
  await query(databaseUrl, "CREATE INDEX peer_verdict ON peer (verdict, chain, seq) WHERE verdict IN ('deny', 'ask')")
  await query(databaseUrl, 'CREATE INDEX peer_received ON peer USING brin (received)')
  const words = [
    '-n',
    '-c',
    String(count),
    '-j',
    String(Math.min(count, 2)),
    '-t',
    String(BATCHES),
    '-D',
    'base=0',
    '-f',
    file,
    databaseUrl,
  ]
  const { stdout } = await run(findPgbench(), words)
  const [, tps] = /tps = ([\d.]+)/.exec(stdout) ?? []
  return Number(tps) * BATCH
}

function insertText() {
  const text = value => (value === null || value === undefined ? 'NULL' : `'${value}'`)
  const rows = Array.from({ length: BATCH }, (_, n) => {
    const { id, time, actor, session, kind, policy, judge, rule, tool, verdict, bodyHash } = headOf(makeEntry(n, GENESIS_HASH))
    const texts = [id, time, actor, session, kind, policy, judge, rule, tool, verdict, bodyHash].map(text)
    return `(:client_id, :base + ${n}, current_date, 2, true, ${texts.join(', ')})`
  })
  return `INSERT INTO peer (chain, seq, day, format, is_proved, id, time, actor, session, kind, policy, judge, rule, tool, verdict, body_hash) VALUES ${rows.join(', ')};`
}

function findPgbench() {
  const beside = join(postgres.programs, 'pgbench')
  return existsSync(beside) ? beside : 'pgbench'
}

async function print(rows) {
  console.log('| uploaders | hub, entries/s | pgbench, the same rows/s | ratio | budget |')
  console.log('|---|---|---|---|---|')
  for (const { count, ours, theirs } of rows)
    console.log(
      `| ${count} | ${Math.round(ours).toLocaleString('en')} | ${Math.round(theirs).toLocaleString('en')} | ${(ours / theirs).toFixed(2)} | >= ${BUDGET} |`,
    )
  const [size] = await query(
    databaseUrl,
    `SELECT (SELECT sum(pg_total_relation_size(inhrelid))::float8 FROM pg_inherits WHERE inhparent = 'entry'::regclass) AS rows,
       pg_total_relation_size('tile')::float8 AS hashes, (SELECT sum(seq)::float8 FROM chain WHERE machine IS NOT NULL) AS entries`,
  )
  const each = bytes => Math.round(bytes / size.entries)
  console.log(
    `\nbytes an entry: ${each(size.rows)} in its row with the indexes, ${each(size.hashes)} as a hash that stays; ${size.entries.toLocaleString('en')} entries`,
  )
}
