// Attacks on the guard itself through the real agent, each first without the protection it is meant for. Cases as in case.mjs.
import { ATTACKS } from '../self/attack/table.mjs'
import { runCampaign } from '../self/campaign.mjs'

export const SELF_CASES = [{ name: 'attacks on the guard itself', run: attackGuard, agents: agent => agent === 'claude-code' }]

async function attackGuard() {
  const attacks = ATTACKS.filter(({ isReal }) => isReal)
  const onCell = ({ name, works, holds }) =>
    console.log(`    ${works ? 'works' : 'FAILS'} without, ${holds ? 'held' : 'NOT HELD'}: ${name}`)
  const cells = await runCampaign(attacks, { isReal: true, onCell })
  return cells.flatMap(({ name, works, holds, without, real }) => [
    [`without its protection this works: ${name}`, works, without],
    [`this is held: ${name}`, holds, real],
  ])
}
