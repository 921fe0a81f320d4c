// node scripts/search-worst.mjs [--minutes N] [--seed SEED]: looks for the shell text that takes longest to judge. Most tries are short texts:
// one that takes long for the work that is counted would, often enough repeated, be over the budget of time before it is over that of work.
// Those are changed a little, again and again, new ones are thrown in, and the worst are written out to their full length.
// Ends with 1 where one is over the budget. The minutes are of processor time, so that an hour of search is one on a busy machine too.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runnerImport } from 'vite'
import { BUDGET_MS, costMs, decide, leastMs, shareOfWork } from '../bench/lib/judge-cost.mjs'
import { root } from './lib/ensure.mjs'

// Fixtures are in no build.
const loadFixture = async name => (await runnerImport(join(root, `packages/core/src/match/shell/fixtures/${name}.ts`))).module
const { makeRandom } = await loadFixture('random-script')
const { changeWorst, LONGEST, randomWorst, writeWorst } = await loadFixture('worst-text')

const KEPT = 32
const SHORT = 4096
/** A text that is quicker says nothing. */
const TELLING_MS = 2
const SHOWN = 10
const { minutes, seed: givenSeed } = parseArgs({ options: { minutes: { type: 'string' }, seed: { type: 'string' } } }).values
const seed = Number(givenSeed ?? Date.now() % 1_000_000)
const searchMs = Number(minutes ?? 60) * 60_000
/** Of processor time. */
const SHOWN_EACH_MS = 300_000
const random = makeRandom(seed)
console.log(`worst texts: seed ${seed}, ${Number(minutes ?? 60)} minutes, budget ${BUDGET_MS} ms of processor time`)

/** Slowest first: short texts by what they would take, and whole ones by what they take. */
const short = []
const slowest = []
let tried = 0
for (let warm = 0; warm < 300; warm++) decide(writeWorst({ ...randomWorst(random), size: 2048 }))
let shownMs = 0
for (let spent = spentMs(); spent < searchMs; spent = spentMs()) {
  tried++
  if (random.next(8) === 0) tryWhole()
  else tryShort()
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

function tryShort() {
  const one = short[random.next(KEPT)]
  const other = short[random.next(KEPT)]
  const given = one === undefined || random.next(4) === 0 ? randomWorst(random) : changeWorst(one.text, (other ?? one).text, random)
  const text = { ...given, size: Math.min(given.size, SHORT) }
  const command = writeWorst(text)
  if (costMs(() => decide(command)) < TELLING_MS) return
  keep(short, text, leastMs(() => decide(command), 5) / Math.min(1, shareOfWork(command)))
}

/** One of the worst short ones at any size, or any text at all. */
function tryWhole() {
  const one = random.next(4) === 0 ? { text: randomWorst(random) } : (short[random.next(KEPT)] ?? slowest[random.next(KEPT)])
  if (one === undefined) return
  const text = { ...one.text, size: SHORT + random.next(LONGEST - SHORT) }
  const command = writeWorst(text)
  const least = slowest.length < KEPT ? 0 : (slowest.at(-1)?.ms ?? 0)
  // One turn tells the quick ones; the least of several is what a text takes.
  if (costMs(() => decide(command)) <= least) return
  if (
    keep(
      slowest,
      text,
      leastMs(() => decide(command), 5),
    ) &&
    slowest[0]?.text === text
  )
    console.log(`${slowest[0].ms.toFixed(1)} ms ${show(text)}`)
}

function keep(list, text, ms) {
  const command = writeWorst(text)
  if (list.some(known => writeWorst(known.text) === command)) return false
  list.push({ ms, text })
  list.sort((left, right) => right.ms - left.ms)
  list.length = Math.min(list.length, KEPT)
  return true
}

/** Long runs of the same are cut short. */
function show(text) {
  return JSON.stringify(text).replace(/(.{1,2}?)\1{40,}/g, (run, piece) => `${piece} x ${run.length / piece.length}`)
}
