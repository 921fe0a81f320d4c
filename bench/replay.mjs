// How fast a policy is tried on what a ledger holds, beside reading and parsing the same rows; whether memory stays flat; whether an unchanged
// policy decides everything as it was recorded. Half of the calls never came before; each that is allowed has its end beside it, as the daemon
// records it. A replay judges the calls, so it is measured beside reading all of the rows, and beside reading those of the calls alone: on one
// thread, each row read with its body whole, and the body parsed. The replay has as many threads as it begins itself. BELAY_BENCH_EVENTS=1000000 gives the row over
// 10^6 events;
// BELAY_BENCH_FOLDER keeps the ledger there, so that the next run does not fill it again.
// Each step is a process of its own: what one leaves in memory does not count for the next. On a machine that others use too the ratio by
// processor time says more than the one by the clock: processor time of reading a row, to that of judging it divided by the threads.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const EVENTS = Number(process.env.BELAY_BENCH_EVENTS ?? 100_000)
const PAGE_ROWS = 256
const target = fileURLToPath(new URL('../.cache/bench-replay/', import.meta.url))
const source = fileURLToPath(new URL('../packages/host/src/', import.meta.url))
const core = fileURLToPath(new URL('../packages/core/src/', import.meta.url))
const DIRECTORIES = ['src', 'tests', 'docs', 'packages/core', 'packages/host']
const NAMES = ['app', 'index', 'user', 'store', 'view']
const ENDS = ['ts', 'md', 'json']
const ENTRIES = {
  'open-ledger': 'ledger/open-ledger.ts',
  'body-redactor': 'ledger/body-redactor.ts',
  'load-guard': 'guard/load-guard.ts',
  'decision-record': 'decision/decision-record.ts',
  'recorded-call': 'policy/recorded-call.ts',
  'replay-ledger': 'policy/replay/replay-ledger.ts',
  trust: 'config/trust.ts',
  home: 'config/home.ts',
  'open-sqlite-store': 'store/open-sqlite-store.ts',
  table: 'store/table/ledger.ts',
}

const [step, given] = process.argv.slice(2)
if (step === undefined) await measure()
else if (step === 'bundle') await bundle()
else await runStep(step, given)

async function measure() {
  await bundle()
  const kept = process.env.BELAY_BENCH_FOLDER
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'belay-replay-'))
  try {
    if (!existsSync(join(folder, 'home'))) inProcess('fill', folder)
    const before = [inProcess('read', folder), inProcess('read-calls', folder)]
    const replayed = inProcess('replay', folder)
    const after = [inProcess('read', folder), inProcess('read-calls', folder)]
    const different = inProcess('different', folder)
    const perSecond = ms => Math.round(EVENTS / (ms / 1000))
    const { tally, memory, threads } = replayed
    console.log(
      `${EVENTS} events, ${tally.judged} of them calls, ${different} of those different; replayed ${perSecond(replayed.ms)} events a second`,
    )
    for (const [index, what] of ['all of the rows', 'the rows of the calls alone'].entries()) {
      const readMs = Math.min(before[index].ms, after[index].ms)
      const byProcessor = Math.min(before[index].cpuMs, after[index].cpuMs) / (replayed.cpuMs / threads)
      console.log(
        `replay on ${threads} threads / reading and parsing ${what} on one: by the clock ${(readMs / replayed.ms).toFixed(2)} (target 0.5), by processor time divided by the threads ${byProcessor.toFixed(2)}`,
      )
    }
    console.log(
      `judged ${tally.judged}, the same ${tally.same}, not the same ${tally.judged - tally.same}, not judged ${JSON.stringify(tally.unjudged)}`,
    )
    console.log(`memory at most, in each tenth (MB): ${memory.join(' ')}`)
  } finally {
    if (kept === undefined) rmSync(folder, { recursive: true })
  }
}

function inProcess(name, folder) {
  const { status, stdout } = spawnSync(process.execPath, [...process.execArgv, fileURLToPath(import.meta.url), name, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`the step ${name} failed`)
  return stdout === '' ? null : JSON.parse(stdout)
}

async function runStep(name, folder) {
  const parts = Object.assign({}, ...(await Promise.all(Object.keys(ENTRIES).map(each => import(pathToFileURL(`${target}${each}.cjs`))))))
  const root = join(folder, 'repo')
  const home = join(folder, 'home')
  const place = { home, etc: join(folder, 'etc'), env: { HOME: folder } }
  const file = join(root, '.belay', 'genesis.key')
  const text = policyText()
  if (name === 'fill') {
    mkdirSync(join(root, '.belay'), { recursive: true })
    mkdirSync(join(home, 'policy'), { recursive: true })
    writeFileSync(file, text)
    parts.addTrust(parts.homePaths(home).trust, file, parts.hashOf(text))
    // The files that come again and again are there.
    for (const directory of DIRECTORIES) {
      mkdirSync(join(root, directory), { recursive: true })
      for (const name of NAMES)
        for (let at = 0; at < 8; at++) for (const end of ENDS) writeFileSync(join(root, directory, `${name}-${at}.${end}`), '')
    }
  }
  if (name === 'fill') {
    const ledger = await parts.openLedger({ home, redactor: parts.openRedactor(home) })
    await fill(parts, ledger, { root, place })
    return ledger.close()
  }
  const store = await parts.openSqliteStore({ file: join(home, 'belay.db'), readOnly: true })
  const draft = { owner: 'project', files: [{ file, text }] }
  const done =
    name === 'read'
      ? await time(() => readAll(parts, store))
      : name === 'read-calls'
        ? await time(() => readCalls(parts, store))
        : name === 'different'
          ? await countDifferent(parts, store)
          : await replay(parts, store, { place, draft })
  console.log(JSON.stringify(done))
  await store.close()
}

async function replay(parts, store, { place, draft }) {
  const request = { place, draft, filter: { project: null, actor: null, session: null } }
  const memory = []
  let tally
  const onProgress = (done, all) => {
    const tenth = Math.min(9, Math.floor((done * 10 - 1) / all))
    memory[tenth] = Math.max(memory[tenth] ?? 0, mb(process.memoryUsage.rss()))
  }
  const workers = Number(process.env.BELAY_BENCH_THREADS ?? parts.threadsFor(EVENTS))
  const took = await time(async () => {
    tally = await parts.replayLedger({ store, request, range: { first: 1, last: EVENTS }, onProgress, workers })
  })
  return { ...took, tally, memory, threads: Math.max(1, workers) }
}

async function readAll(parts, store) {
  const read = parts.prepareKeptRead(store)
  let tools = 0
  for (let from = 1; ; ) {
    const { rows } = await read(from, Math.min(PAGE_ROWS, EVENTS + 1 - from))
    for (const entry of rows) if (JSON.parse(entry.body).tool !== undefined) tools++
    from += PAGE_ROWS
    if (from > EVENTS) return tools
  }
}

async function readCalls(parts, store) {
  const read = parts.prepareCallRead(store)
  let tools = 0
  for (let from = 1; from <= EVENTS; from += PAGE_ROWS) {
    const page = await read(from, Math.min(from + PAGE_ROWS - 1, EVENTS))
    for (const { own, shared } of page) if ({ ...shared, ...JSON.parse(own) }.tool !== undefined) tools++
  }
  return tools
}

/** Whoever calls, what is said about a call does not make it another one. */
async function countDifferent(parts, store) {
  const read = parts.prepareCallRead(store)
  const seen = new Set()
  for (let from = 1; from <= EVENTS; from += PAGE_ROWS) {
    for (const { own, shared } of await read(from, Math.min(from + PAGE_ROWS - 1, EVENTS))) {
      const { tool, input } = { ...shared, ...JSON.parse(own) }
      seen.add(JSON.stringify([tool, { ...input, description: null }]))
    }
  }
  return seen.size
}

/** What agents do in a month, judged by the real guard and recorded as the daemon records it. */
async function fill(parts, ledger, { root, place }) {
  const guard = parts.buildGuard(parts.loadGuard(root, place, root), place, { config: {} })
  // What an earlier run left half full is filled up.
  const [[begun] = []] = await ledger.store.prepareRead({
    compile: () => ({ sql: 'SELECT coalesce(max(seq), 0) FROM ledger', parameters: [] }),
  })([])
  let seed = 42 + Number(begun)
  const random = most => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return (seed >>> 8) % most
  }
  const pick = list => list[random(list.length)]
  // Every second call has a word that no other call has.
  let fresh = ''
  const word = () => `${pick(DIRECTORIES)}/${pick(NAMES)}-${random(8)}${fresh}.${pick(ENDS)}`
  const commands = [
    () => `git ${pick(['status', 'diff', 'log --oneline -5', 'add .', 'stash', 'fetch'])}${fresh === '' ? '' : ` ${word()}`}`,
    () => `npm test -- ${word()}`,
    () => `grep -rn ${pick(['foo', 'bar', 'TODO', 'export'])} ${word()} | head -${random(5)}`,
    () => `cat ${word()} && ls -la ${pick(['src', 'tests'])}`,
    () => `git commit -m "change ${random(20)} of ${word()}"`,
    () =>
      `${pick(['rm -rf build', 'git push', 'npm publish', 'sudo ls', 'make', 'node scripts/build.mjs'])}${fresh === '' ? '' : ` ${word()}`}`,
  ]
  const calls = [
    () => ({ tool: 'Bash', input: { command: pick(commands)(), description: 'work' } }),
    () => ({ tool: 'Bash', input: { command: pick(commands)() } }),
    () => ({ tool: 'Read', input: { file_path: join(root, word()) } }),
    () => ({ tool: 'Edit', input: { file_path: join(root, word()), old_string: 'a', new_string: 'b' } }),
    () => ({ tool: 'Grep', input: { pattern: `${pick(['x', 'y', 'import'])}${fresh}`, path: root } }),
  ]
  let waiting = []
  const append = async record => {
    waiting.push(ledger.append(record))
    if (waiting.length < 512) return
    await Promise.all(waiting)
    waiting = []
  }
  for (let at = Number(begun); at < EVENTS; at++) {
    fresh = random(2) === 0 ? '' : `-${at}`
    const call = pick(calls)()
    const event = parts.toolEvent({ call, actor: pick(['agent:claude-code', 'agent:codex']), cwd: root, session: `session-${at >> 10}` })
    const judgement = guard.judge(call, event)
    await append(parts.decisionRecord(factsOf(event, judgement.verdict, judgement, { guard, root })))
    if (judgement.verdict.decision !== 'allow' || at + 1 === EVENTS) continue
    at++
    const fields = { ...event.fields, toolResponse: { stdout: 'a line of what came of it\n'.repeat(random(20)), stderr: '' } }
    await append(parts.decisionRecord(factsOf({ ...event, name: 'PostToolUse', fields }, { decision: 'none' }, null, { guard, root })))
  }
  await Promise.all(waiting)
}

function factsOf(event, verdict, judgement, { guard, root }) {
  const nothing = { context: [], evidence: [], rewrites: [], stop: null, messages: [], report: { runs: [], skipped: [], dropped: [] } }
  return {
    event,
    decoded: { nativeEvent: event.name, rawTool: null },
    guarded: { verdict, judgement, fired: { verdict: { decision: 'none' }, event, ...nothing } },
    answer: { exitCode: 0, stdout: '{"hookSpecificOutput":{"hookEventName":"PreToolUse"}}', stderr: '', degraded: [] },
    policyHash: guard.policyHash,
    root,
    agentId: 'agent-1',
    attended: true,
    tookMs: 0.2,
    changes: [],
  }
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
  const used = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(used)
  return { ms: performance.now() - begun, cpuMs: (user + system) / 1000 }
}

function mb(bytes) {
  return Math.round(bytes / 1024 / 1024)
}

async function bundle() {
  const { rolldown } = await import('rolldown')
  const threads = { 'policy/replay/replay.worker': 'policy/replay/replay.worker.ts' }
  const input = Object.fromEntries(Object.entries({ ...ENTRIES, ...threads }).map(([name, file]) => [name, `${source}${file}`]))
  const alias = Object.fromEntries([
    ...['adapter', 'ledger', 'match', 'policy', 'value', 'dialect', 'team'].map(name => [`@belay/core/${name}`, `${core}${name}/index.ts`]),
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
}
