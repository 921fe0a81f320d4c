// The attacks on the guard itself as a table: item, whether the attack works without its protection, whether the built package holds, the attack.
import { fetchClient } from '../agents/client.mjs'
import { ATTACKS } from './attack/table.mjs'
import { runCampaign } from './campaign.mjs'

/** `isShort`: the short form; `isReal`: those that go through the real Claude Code; `only`: a part of `item name`. */
export async function reportAttacks({ isShort = false, isReal = false, only = '', isVerbose = false } = {}) {
  const wanted = ATTACKS.filter(
    each => (each.isShort || !isShort) && (each.isReal || !isReal) && `${each.item} ${each.name}`.includes(only),
  )
  if (isReal) fetchClient('claude-code')
  console.log(`\n${wanted.length} attacks on the guard itself${isReal ? ', through the real Claude Code' : ''}`)
  console.log('item  works without its protection  held  attack')
  const cells = await runCampaign(wanted, { isReal, onCell: cell => printCell(cell, isVerbose) })
  const passes = cells.flatMap(({ works, holds }) => [works, holds]).filter(Boolean).length
  return { passes, failures: 2 * cells.length - passes }
}

function printCell({ name, item, works, holds, without, real }, isVerbose) {
  console.log(`${String(item).padStart(4)}  ${(works ? 'yes' : 'NO').padEnd(29)}  ${(holds ? 'yes' : 'NO').padEnd(4)}  ${name}`)
  if (!works || isVerbose) console.log(`      without: ${describeResult(without)}`)
  if (!holds || isVerbose) console.log(`      built: ${describeResult(real)}`)
}

/** What came of one side, for whoever has to find out why. */
export function describeResult(result) {
  if (result.failed !== undefined) return result.failed
  return JSON.stringify(result, (_key, value) => (typeof value === 'string' && value.length > 300 ? `${value.slice(0, 300)} ...` : value))
}
