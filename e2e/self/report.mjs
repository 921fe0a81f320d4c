// The attacks on the guard itself as a table: item, whether the attack works without its protection, whether the built package holds, the attack.
import { fetchClient } from '../agents/client.mjs'
import { ATTACKS } from './attack/table.mjs'
import { runCampaign } from './campaign.mjs'
import { openKeptCells } from './kept-cells.mjs'

/**
 * `isShort`: the short form; `isReal`: those that go through the real Claude Code; `only`: a part of `item name`; `isResumed`: without those
 * that have passed on exactly this build.
 */
export async function reportAttacks({ isShort = false, isReal = false, only = '', isVerbose = false, isResumed = false } = {}) {
  const wanted = ATTACKS.filter(
    each => (each.isShort || !isShort) && (each.isReal || !isReal) && `${each.item} ${each.name}`.includes(only),
  )
  if (isReal) fetchClient('claude-code')
  const kept = openKeptCells(isReal)
  const passed = isResumed ? kept.passed() : new Set()
  const left = wanted.filter(({ name }) => !passed.has(name))
  const before = wanted.length - left.length
  const more = before === 0 ? '' : `, ${before} of them passed before`
  console.log(
    `\n${wanted.length} attacks on the guard itself${isReal ? ', through the real Claude Code' : ''}${more} (state ${kept.state})`,
  )
  console.log('   done  item  works without its protection  held  seconds  attack')
  let done = before
  const cells = await runCampaign(left, {
    isReal,
    onCell(cell) {
      kept.keep(cell)
      done++
      printCell(cell, `${done}/${wanted.length}`, isVerbose)
    },
  })
  const passes = 2 * before + cells.flatMap(({ works, holds }) => [works, holds]).filter(Boolean).length
  return { passes, failures: 2 * wanted.length - passes }
}

function printCell({ name, item, works, holds, seconds, without, real }, done, isVerbose) {
  const answers = [(works ? 'yes' : 'NO').padEnd(29), (holds ? 'yes' : 'NO').padEnd(4)]
  const words = [done.padStart(7), String(item).padStart(4), ...answers, seconds.toFixed(1).padStart(7), name]
  console.log(words.join('  '))
  if (!works || isVerbose) console.log(`      without: ${describeResult(without)}`)
  if (!holds || isVerbose) console.log(`      built: ${describeResult(real)}`)
}

/** What came of one side, for whoever has to find out why. */
export function describeResult(result) {
  if (result.failed !== undefined) return result.failed
  return JSON.stringify(result, (_key, value) => (typeof value === 'string' && value.length > 300 ? `${value.slice(0, 300)} ...` : value))
}
