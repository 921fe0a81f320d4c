// page.simulate: a typed call through the hooks in force, by the function of `belay hooks simulate`.
import { canonicalEventName, findEvent } from '@belay/core'
import { callFromText } from '@belay/core/policy'
import type { Simulation } from '../../guard/simulate.ts'
import { simulatedEvent } from '../../guard/simulated-event.ts'
import { needText, type Params, readText } from '../../rpc/param.ts'
import type { PageParts } from './page-parts.ts'
import { invalid } from './read-filter.ts'

export function simulateCall({ guards }: Pick<PageParts, 'guards'>, root: string, params: Params): Promise<Simulation> {
  const event = needText(params, 'event')
  if (findEvent(event) === null) throw invalid(`there is no event ${event}.`)
  const args = readText(params, 'args') ?? ''
  const call = callFromText(needText(params, 'tool'), args)
  const made = { call, actor: needText(params, 'actor'), agent: 'claude-code', cwd: root, event: canonicalEventName(event) }
  return guards.simulate(root, simulatedEvent({ ...made, fields: { prompt: args } }))
}
