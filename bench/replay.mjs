// How fast a policy is tried on what a ledger holds, beside reading and parsing the same rows; whether memory stays flat; whether an unchanged
// policy decides everything as it was recorded. BELAY_BENCH_EVENTS=1000000 gives the row over 10^6 events.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const EVENTS = Number(process.env.BELAY_BENCH_EVENTS ?? 100_000)
const PAGE_ROWS = 256
const target = fileURLToPath(new URL('../.cache/bench-replay/', import.meta.url))
const source = fileURLToPath(new URL('../packages/host/src/', import.meta.url))
const core = fileURLToPath(new URL('../packages/core/src/', import.meta.url))

const parts = await bundle()
const folder = mkdtempSync(join(tmpdir(), 'belay-replay-'))
try {
  const root = join(folder, 'repo')
  const home = join(folder, 'home')
  const text = policyText()
  mkdirSync(join(root, '.belay'), { recursive: true })
  mkdirSync(join(home, 'policy'), { recursive: true })
  writeFileSync(join(root, '.belay', 'genesis.key'), text)
  const place = { home, etc: join(folder, 'etc'), env: { HOME: folder } }
  parts.addTrust(parts.homePaths(home).trust, join(root, '.belay', 'genesis.key'), parts.hashOf(text))
  const ledger = await parts.openLedger({ home, redactor: parts.openRedactor(home) })
  await fill(ledger, { root, place })
  const { store } = ledger
  const readMs = await time(() => readAll(store))
  const request = {
    place,
    policy: { file: join(root, '.belay', 'genesis.key'), text, owner: 'project' },
    filter: { project: root, actor: null, session: null },
  }
  let most = 0
  let atTenth = 0
  const onProgress = (done, all) => {
    const { rss } = process.memoryUsage()
    if (done <= all / 10) atTenth = Math.max(atTenth, rss)
    most = Math.max(most, rss)
  }
  let tally
  const replayMs = await time(async () => {
    tally = await parts.replayLedger({
      store,
      request,
      range: { first: 1, last: EVENTS },
      onProgress,
      ...(process.env.BELAY_BENCH_THREADS === undefined ? {} : { workers: Number(process.env.BELAY_BENCH_THREADS) }),
    })
  })
  const against = await time(() => readAll(store))
  const perSecond = ms => Math.round(EVENTS / (ms / 1000))
  const readBest = Math.min(readMs, against)
  console.log(`${EVENTS} events: read and parsed ${perSecond(readBest)} a second, replayed ${perSecond(replayMs)} a second`)
  console.log(`replay / reading and parsing ${(readBest / replayMs).toFixed(2)} (target 0.5)`)
  console.log(
    `judged ${tally.judged}, the same ${tally.same}, not the same ${tally.judged - tally.same}, not judged ${JSON.stringify(tally.unjudged)}`,
  )
  console.log(`memory ${mb(atTenth)} MB after a tenth, ${mb(most)} MB at most`)
  await ledger.close()
} finally {
  rmSync(folder, { recursive: true })
}

async function readAll(store) {
  const read = parts.prepareLedgerRead(store)
  let tools = 0
  for (let from = 1; ; ) {
    const page = await read(from, PAGE_ROWS)
    if (page.length === 0) return tools
    for (const entry of page) if (JSON.parse(entry.body).tool !== undefined) tools++
    from = page.at(-1).seq + 1
  }
}

/** What agents do in a month, judged by the real guard and recorded as the daemon records it. */
async function fill(ledger, { root, place }) {
  const guard = parts.buildGuard(parts.loadGuard(root, place, root), place, { config: {} })
  let seed = 42
  const random = most => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return seed % most
  }
  const pick = list => list[random(list.length)]
  const word = () =>
    `${pick(['src', 'tests', 'docs', 'packages/core', 'packages/host'])}/${pick(['app', 'index', 'user', 'store', 'view'])}-${random(40)}.${pick(['ts', 'md', 'json'])}`
  const commands = [
    () => `git ${pick(['status', 'diff', 'log --oneline -5', 'add .', 'stash', 'fetch'])}`,
    () => `npm test -- ${word()}`,
    () => `grep -rn ${pick(['foo', 'bar', 'TODO', 'export'])} ${word()} | head -${random(50)}`,
    () => `cat ${word()} && ls -la ${pick(['src', 'tests'])}`,
    () => `git commit -m "change ${random(5000)}"`,
    () => pick(['rm -rf build', 'git push', 'npm publish', 'sudo ls', 'make', 'node scripts/build.mjs']),
  ]
  const calls = [
    () => ({ tool: 'Bash', input: { command: pick(commands)(), description: 'work' } }),
    () => ({ tool: 'Bash', input: { command: pick(commands)() } }),
    () => ({ tool: 'Read', input: { file_path: join(root, word()) } }),
    () => ({ tool: 'Edit', input: { file_path: join(root, word()), old_string: 'a', new_string: 'b' } }),
    () => ({ tool: 'Grep', input: { pattern: pick(['x', 'y', 'import']), path: root } }),
  ]
  let waiting = []
  for (let at = 0; at < EVENTS; at++) {
    const call = pick(calls)()
    const event = parts.toolEvent({ call, actor: pick(['agent:claude-code', 'agent:codex']), cwd: root, session: `session-${at >> 10}` })
    const judgement = guard.judge(call, event)
    const fired = {
      verdict: { decision: 'none' },
      context: [],
      evidence: [],
      rewrites: [],
      stop: null,
      messages: [],
      event,
      report: { runs: [], skipped: [], dropped: [] },
    }
    const facts = {
      event,
      decoded: { nativeEvent: 'PreToolUse', rawTool: null },
      guarded: { verdict: judgement.verdict, judgement, fired },
      answer: { exitCode: 0, stdout: '{"hookSpecificOutput":{"hookEventName":"PreToolUse"}}', stderr: '', degraded: [] },
      policyHash: guard.policyHash,
      root,
      agentId: 'agent-1',
      attended: true,
      tookMs: 0.2,
      changes: [],
    }
    waiting.push(ledger.append(parts.decisionRecord(facts)))
    if (waiting.length === 512) {
      await Promise.all(waiting)
      waiting = []
    }
  }
  await Promise.all(waiting)
}

function policyText() {
  const rules = Array.from({ length: 80 }, (_, at) => `        - "Bash(tool-${at} *)"`).join('\n')
  return `version: "2.0"
permissions:
  default: ask
  actors:
    "agent:*":
      deny: ["Bash(rm -rf *)", "Bash(sudo *)", "Write(.env*)", "Read(~/.ssh/**)"]
      ask: ["Bash(git push *)", "Bash(npm publish *)"]
      allow:
        - "Read(*)"
        - "Grep"
        - "Edit(src/**)"
        - "Bash(@read-only)"
        - "Bash(git *)"
        - "Bash(npm test *)"
${rules}
`
}

async function time(work) {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

function mb(bytes) {
  return Math.round(bytes / 1024 / 1024)
}

async function bundle() {
  const entries = {
    'open-ledger': 'ledger/open-ledger.ts',
    'body-redactor': 'ledger/body-redactor.ts',
    'load-guard': 'guard/load-guard.ts',
    'decision-record': 'decision/decision-record.ts',
    'recorded-call': 'policy/recorded-call.ts',
    'replay-ledger': 'policy/replay/replay-ledger.ts',
    trust: 'config/trust.ts',
    home: 'config/home.ts',
    table: 'store/table/ledger.ts',
  }
  const threads = { 'policy/replay/replay.worker': 'policy/replay/replay.worker.ts' }
  const input = Object.fromEntries(Object.entries({ ...entries, ...threads }).map(([name, file]) => [name, `${source}${file}`]))
  const alias = Object.fromEntries([
    ...['adapter', 'ledger', 'match', 'policy', 'value', 'dialect'].map(name => [`@belay/core/${name}`, `${core}${name}/index.ts`]),
    ['@belay/core', `${core}index.ts`],
  ])
  const made = await rolldown({
    input,
    platform: 'node',
    external: [/^libsql/],
    resolve: { alias, conditionNames: ['node', 'import', 'default'], mainFields: ['module', 'main'] },
    transform: { define: { BELAY_JUDGE_BUILD: '"bench"' } },
  })
  await made.write({ dir: target, format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: 'chunk/[name].cjs' })
  return Object.assign({}, ...(await Promise.all(Object.keys(entries).map(name => import(pathToFileURL(`${target}${name}.cjs`))))))
}
