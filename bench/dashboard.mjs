// The page in a real Chromium on a real daemon: how much script it is, how soon the first event is on screen, whether it stays smooth and
// its memory flat while 500 events a second stream in. BELAY_BENCH_MINUTES says for how long (default 2). Frames depend on what else the
// machine does, so those of the idle page are taken in the same run.
import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'

const root = fileURLToPath(new URL('..', import.meta.url))
const MINUTES = Number(process.env.BELAY_BENCH_MINUTES ?? 2)
const OPENINGS = Number(process.env.BELAY_BENCH_TURNS ?? 7)
const RATE = 500
const FRAMES_S = 10
const SAMPLE_S = 5
/** The page keeps this many rows; before they are there memory has to grow. */
const ROWS_KEPT = 22_000
/** There before anybody looks. */
const CALLS_BEFORE = Number(process.env.BELAY_BENCH_CALLS ?? 50_000)
const TASKS_S = 15
const BUDGET = { scriptKb: 220, firstEventMs: 1000, framesOfIdle: 0.95, heapGrowth: 1.1, taskMs: 50 }

const rows = []
const { openBrowser, startWorld } = await loadWorld()
measureScript()
const browser = await openBrowser()
const world = await startWorld()
try {
  const sender = await openSender()
  await sendBefore(sender)
  await measureFirstEvent()
  await measureStreaming(sender)
  sender.close()
} finally {
  await browser.close()
  await world.end()
}
console.log('| | measured | budget | |\n|---|--:|--:|---|')
for (const [name, measured, budget, isOk] of rows)
  console.log(`| ${name} | ${measured} | ${budget} | ${isOk === null ? '' : isOk ? 'ok' : 'OVER'} |`)

/** The world of the end-to-end tests: the same daemon, the same browser. */
async function loadWorld() {
  const input = { world: join(root, 'e2e/dashboard/world.ts'), browser: join(root, 'e2e/dashboard/browser.ts') }
  const bundle = await rolldown({ input, platform: 'node', external: ['playwright-core'] })
  const folder = join(root, '.cache', 'bench')
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name]-chunk.mjs' })
  const load = name => import(pathToFileURL(join(folder, `${name}.mjs`)).href)
  return { ...(await load('world')), ...(await load('browser')) }
}

function measureScript() {
  const folder = join(root, 'packages/host/dist/dashboard/assets')
  const sizes = readdirSync(folder)
    .filter(file => file.endsWith('.js'))
    .map(file => gzipSync(readFileSync(join(folder, file))).length / 1000)
  const total = sizes.reduce((sum, size) => sum + size, 0)
  rows.push(['script of all pages, gzipped', `${total.toFixed(1)} KB`, `<= ${BUDGET.scriptKb} KB`, total <= BUDGET.scriptKb])
}

async function measureFirstEvent() {
  const times = []
  for (let n = 0; n < OPENINGS; n++) {
    const { page, context } = await world.openPage(browser, { path: '/' })
    await context.addInitScript(noteFirstEvent)
    await page.goto(new URL('/live', await world.url()).href)
    await page.waitForFunction(() => globalThis.firstEventAt !== undefined)
    times.push(await page.evaluate(() => globalThis.firstEventAt - performance.getEntriesByType('navigation')[0].loadEventEnd))
    await context.close()
  }
  const middle = times.sort((a, b) => a - b)[times.length >> 1]
  const measured = `${Math.max(0, middle).toFixed(0)} ms`
  rows.push(['load event to first event on screen, median', measured, `<= ${BUDGET.firstEventMs} ms`, middle <= BUDGET.firstEventMs])
}

function noteFirstEvent() {
  const look = () => {
    if (document.querySelector('[data-seq]') === null) return void requestAnimationFrame(look)
    globalThis.firstEventAt = performance.now()
  }
  requestAnimationFrame(look)
}

async function measureStreaming(sender) {
  const atOpening = await recorded()
  const { page, context } = await world.openPage(browser)
  await page.locator('[data-seq]').first().waitFor()
  const cdp = await context.newCDPSession(page)
  await cdp.send('Performance.enable')
  const idle = await countFrames(page, cdp)
  const stop = sender.start(RATE)
  const busy = await countFrames(page, cdp)
  const share = busy.rate / idle.rate
  rows.push(['frames a second, nothing happens', idle.rate.toFixed(1), '', null])
  rows.push([
    `frames a second at ${RATE} events/s`,
    busy.rate.toFixed(1),
    `>= ${BUDGET.framesOfIdle} of idle`,
    share >= BUDGET.framesOfIdle,
  ])
  rows.push(['frames longer than 50 ms, idle / streaming', `${idle.long} / ${busy.long}`, '', null])
  rows.push(['main thread busy, idle / streaming', `${percent(idle.busy)} / ${percent(busy.busy)}`, '', null])
  const longest = await measureTasks(cdp, TASKS_S)
  rows.push([
    `longest task at ${RATE} events/s over ${(await recorded()).toLocaleString('en')} calls, processor time (by the clock)`,
    `${longest.busyMs.toFixed(1)} ms (${longest.clockMs.toFixed(1)})`,
    `<= ${BUDGET.taskMs} ms`,
    longest.busyMs <= BUDGET.taskMs,
  ])
  await measureHeap(cdp, atOpening)
  stop()
  await context.close()
}

async function sendBefore(sender) {
  for (let sent = 0; sent < CALLS_BEFORE; sent += 500) {
    await sender.send(500)
    // What is not recorded yet would come in while the page is measured.
    while ((await recorded()) < sent) await new Promise(resolve => setTimeout(resolve, 50))
  }
}

/** Of the page's main thread, from a trace: the processor time of a task does not depend on what else the machine does. */
async function measureTasks(cdp, seconds) {
  const tasks = []
  const mains = new Set()
  cdp.on('Tracing.dataCollected', ({ value }) => {
    for (const { name, args, tid, pid, dur = 0, tdur } of value) {
      if (name === 'thread_name' && args.name === 'CrRendererMain') mains.add(`${pid} ${tid}`)
      if (name === 'RunTask') tasks.push({ thread: `${pid} ${tid}`, clockMs: dur / 1000, busyMs: (tdur ?? dur) / 1000 })
    }
  })
  const ended = new Promise(resolve => cdp.once('Tracing.tracingComplete', resolve))
  await cdp.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['disabled-by-default-devtools.timeline', 'devtools.timeline'] },
  })
  await new Promise(resolve => setTimeout(resolve, seconds * 1000))
  await cdp.send('Tracing.end')
  await ended
  const own = tasks.filter(({ thread }) => mains.has(thread))
  if (own.length === 0) throw new Error('the trace holds no task of the page')
  return own.reduce((longest, task) => (task.busyMs > longest.busyMs ? task : longest))
}

async function countFrames(page, cdp) {
  const before = await readMetrics(cdp)
  const { count, long, ms } = await page.evaluate(
    seconds =>
      new Promise(resolve => {
        const start = performance.now()
        let [count, long, last] = [0, 0, start]
        requestAnimationFrame(function next(now) {
          count += 1
          if (now - last > 50) long += 1
          last = now
          if (now - start < seconds * 1000) requestAnimationFrame(next)
          else resolve({ count, long, ms: now - start })
        })
      }),
    FRAMES_S,
  )
  const after = await readMetrics(cdp)
  const busy = (after.TaskDuration - before.TaskDuration) / (after.Timestamp - before.Timestamp)
  return { rate: (count * 1000) / ms, long, busy }
}

/** The lowest of each half after the page has all rows that it keeps: between two trims memory goes up and down. */
async function measureHeap(cdp, atOpening) {
  // What was recorded before the page was opened is not in it.
  while ((await recorded()) - atOpening < ROWS_KEPT + 1000) await new Promise(resolve => setTimeout(resolve, 500))
  const samples = []
  const end = Date.now() + MINUTES * 60_000
  while (Date.now() < end || samples.length < 4) {
    await new Promise(resolve => setTimeout(resolve, SAMPLE_S * 1000))
    await cdp.send('HeapProfiler.collectGarbage')
    samples.push((await readMetrics(cdp)).JSHeapUsedSize / 1e6)
  }
  const half = samples.length >> 1
  const [first, last] = [Math.min(...samples.slice(0, half)), Math.min(...samples.slice(half))]
  const growth = last / first
  const name = `heap after ${MINUTES} min of streaming, ${(await recorded()).toLocaleString('en')} events`
  rows.push([name, `${last.toFixed(1)} MB, ${growth.toFixed(2)}x of before`, `<= ${BUDGET.heapGrowth}x`, growth <= BUDGET.heapGrowth])
}

async function recorded() {
  return (await world.rpc('page.frame')).records
}

async function readMetrics(cdp) {
  const { metrics } = await cdp.send('Performance.getMetrics')
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]))
}

/** Calls of eight agents over the socket of the hook clients; most are reads, some commands, one in fifty is refused. */
async function openSender() {
  const { socket: path } = JSON.parse((await world.belay(['status', '--json'])).stdout)
  const socket = connect(join(dirname(path), 'shim.sock'))
  socket.resume()
  let sent = 0
  const write = count => {
    let text = ''
    for (let n = 0; n < count; n++) text += frame(sent++)
    return new Promise(resolve => socket.write(text, resolve))
  }
  return {
    send: write,
    start(rate) {
      const begun = Date.now()
      const before = sent
      const timer = setInterval(() => void write(Math.floor(((Date.now() - begun) * rate) / 1000) - (sent - before)), 20)
      return () => clearInterval(timer)
    },
    close: () => socket.destroy(),
  }
}

function frame(n) {
  const isCommand = n % 3 === 0
  const input = isCommand
    ? { command: n % 50 === 0 ? `git push ${n}` : `npm test -- ${n}` }
    : { file_path: join(world.project, `src/file-${n}.ts`) }
  const agentId = `agent-${n % 8}`
  const payload = {
    session_id: agentId,
    cwd: world.project,
    hook_event_name: 'PreToolUse',
    tool_name: isCommand ? 'Bash' : 'Read',
    tool_input: input,
  }
  return `${JSON.stringify({ agent: 'claude-code', event: 'PreToolUse', payload, agentId })}\n`
}

function percent(share) {
  return `${(share * 100).toFixed(0)} %`
}
