// node scripts/search-worst.mjs [--minutes N] [--seed SEED]: looks for the shell text that takes longest to judge. The slowest texts found so
// far are changed a little, again and again, and new ones are thrown in. Ends with 1 where one is over the budget.
// The minutes are of processor time, so that an hour of search is one on a busy machine too.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runnerImport } from 'vite'
import { BUDGET_MS, costMs, decide, leastMs } from '../bench/lib/judge-cost.mjs'
import { root } from './lib/ensure.mjs'

// Fixtures are in no build.
const loadFixture = async name => (await runnerImport(join(root, `packages/core/src/match/shell/fixtures/${name}.ts`))).module
const { makeRandom } = await loadFixture('random-script')
const { changeWorst, randomWorst, writeWorst } = await loadFixture('worst-text')

const KEPT = 32
const SHOWN = 10
const { minutes, seed: givenSeed } = parseArgs({ options: { minutes: { type: 'string' }, seed: { type: 'string' } } }).values
const seed = Number(givenSeed ?? Date.now() % 1_000_000)
const searchMs = Number(minutes ?? 60) * 60_000
/** Of processor time. */
const SHOWN_EACH_MS = 300_000
const random = makeRandom(seed)
console.log(`worst texts: seed ${seed}, ${Number(minutes ?? 60)} minutes, budget ${BUDGET_MS} ms of processor time`)

/** Slowest first. */
const slowest = []
let tried = 0
for (let warm = 0; warm < 300; warm++) decide(writeWorst({ ...randomWorst(random), size: 2048 }))
let shownMs = 0
for (let spent = spentMs(); spent < searchMs; spent = spentMs()) {
  tried++
  tryText(nextText())
  if (spent - shownMs >= SHOWN_EACH_MS) {
    shownMs = spent
    console.log(`after ${Math.round(spent / 60_000)} minutes: ${tried} texts, slowest ${slowest[0]?.ms.toFixed(1)} ms`)
  }
}
for (const { ms, text } of slowest.slice(0, SHOWN)) console.log(`${ms.toFixed(1)} ms ${decide(writeWorst(text))} ${show(text)}`)
const over = slowest.filter(({ ms }) => ms > BUDGET_MS).length
console.log(`${tried} texts, ${over} over ${BUDGET_MS} ms (seed ${seed})`)
process.exitCode = over > 0 ? 1 : 0

function spentMs() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function nextText() {
  const one = slowest[random.next(KEPT)]
  const other = slowest[random.next(KEPT)]
  return one === undefined || random.next(4) === 0 ? randomWorst(random) : changeWorst(one.text, (other ?? one).text, random)
}

/** One turn tells the quick ones; the least of several is what a text takes. */
function tryText(text) {
  const command = writeWorst(text)
  const least = slowest.length < KEPT ? 0 : (slowest.at(-1)?.ms ?? 0)
  if (costMs(() => decide(command)) <= least) return
  const ms = leastMs(() => decide(command), 5)
  if (ms <= least || slowest.some(known => writeWorst(known.text) === command)) return
  slowest.push({ ms, text })
  slowest.sort((left, right) => right.ms - left.ms)
  slowest.length = Math.min(slowest.length, KEPT)
  if (slowest[0]?.text === text) console.log(`${ms.toFixed(1)} ms ${show(text)}`)
}

/** Long runs of the same are cut short. */
function show(text) {
  return JSON.stringify(text).replace(/(.{1,2}?)\1{40,}/g, (run, piece) => `${piece} x ${run.length / piece.length}`)
}
