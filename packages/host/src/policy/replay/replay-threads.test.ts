// Runs in a process of its own, where threads can be started.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { locateLedger } from '../../ledger/ledger-files.ts'
import { openLedger } from '../../ledger/open-ledger.ts'
import { bundleParts } from '../../store/fixtures/bundle-parts.ts'
import { threadsFor } from './replay-ledger.ts'

const temp = realpathSync(mkdtempSync(join(tmpdir(), 'belay-replay-threads-')))
const home = join(temp, 'home')
const root = join(temp, 'project')
/** More than two ranges, so that each thread has some. */
const ROWS = 10_000
const DRAFT = `version: "2.0"
permissions:
  default: ask
  actors: {"agent:*": {deny: ["Bash(make *)"], allow: ["Bash(git status *)", "Bash(echo *)"]}}
`

beforeAll(async () => {
  mkdirSync(root)
  await bundleParts(temp, ['policy/replay/replay-ledger', 'policy/replay/replay.worker', 'store/open-sqlite-store'])
  const draft = { owner: 'project', files: [{ file: join(root, 'draft.key'), text: DRAFT }] }
  const request = {
    place: { home, etc: join(temp, 'etc'), env: { HOME: temp } },
    draft,
    filter: { project: root, actor: null, session: null },
  }
  const script = `import replay from './replay-ledger.cjs'
    import open from './open-sqlite-store.cjs'
    let started = 0
    process.on('worker', () => started++)
    const store = await open.openSqliteStore({ file: ${JSON.stringify(locateLedger(home).database)}, readOnly: true })
    const range = { first: 1, last: ${ROWS} }
    const tally = await replay.replayLedger({ store, request: ${JSON.stringify(request)}, range, workers: Number(process.argv[2]) })
    await store.close()
    process.stdout.write(JSON.stringify({ tally, started }))`
  writeFileSync(join(temp, 'run.mjs'), script)
  const ledger = await openLedger({ home })
  // Each call comes again and again, in every range, with another decision now and then.
  const commands = ['make', 'git status', 'git push', 'echo a', 'ls', 'make install', 'echo b']
  const entry = (at: number) => ({
    actor: `agent:${at % 3}`,
    session: `session-${at >> 8}`,
    kind: 'pre_tool_use',
    policy: null,
    body: { tool: 'Bash', input: { command: commands[at % commands.length] }, root, cwd: root, verdict: at % 11 === 0 ? 'deny' : 'allow' },
  })
  for (let at = 0; at < ROWS; at += 500) await Promise.all(Array.from({ length: 500 }, (_, n) => ledger.append(entry(at + n))))
  await ledger.close()
})

afterAll(() => rmSync(temp, { recursive: true, force: true }))

function replayOn(workers: number): { readonly tally: Record<string, unknown>; readonly started: number } {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env
  const { stdout, stderr } = spawnSync(process.execPath, ['run.mjs', String(workers)], { cwd: temp, encoding: 'utf8', env })
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

test('however many threads judge: the same counts, groups and examples', () => {
  const { tally, started } = replayOn(0)
  expect(started).toBe(0)
  expect(tally).toMatchObject({ entries: ROWS, judged: ROWS })
  expect(tally.groups).not.toEqual([])
  for (const threads of [1, 2, 3]) expect(replayOn(threads)).toEqual({ tally, started: threads })
})

test('a thread is begun only for more rows than it takes to run in, and one a core at most', () => {
  expect([99_999, 100_000, 199_999, 200_000, 1_000_000].map(rows => threadsFor(rows, 4))).toEqual([0, 1, 1, 2, 4])
})
