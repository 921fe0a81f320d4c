// Custom commands whose lines an agent runs as soon as somebody types their name: no hook hears of them before, so that a rule holds them nowhere.
// What can be done is to say which ones there are before they are typed.
import type { Agent } from '@belay/core/adapter'
import { buildGuard, type GuardPlace, loadGuard, userHomeOf } from '../guard/load-guard.ts'
import { listText, nameOfFile } from '../guard/own-text.ts'
import { simulatedEvent } from '../guard/simulated-event.ts'
import { judgeText } from '../guard/skill-lines.ts'
import type { Finding } from '../install/finding.ts'

const MAX_LISTED = 3

/** Nothing where none of them would be refused or asked about. */
export function checkOwnText(agent: Agent, cwd: string, place: GuardPlace): readonly Finding[] {
  if (agent.unheardText.length === 0) return []
  const sources = loadGuard(cwd, place)
  const guard = buildGuard(sources, place, { config: {} })
  const where = { root: guard.root, userHome: userHomeOf(place.env), cwd, agent }
  const event = { actor: `agent:${agent.id}`, agent: agent.id, cwd }
  const held = listText(agent.unheardText, where).flatMap(path => {
    const said = judgeText(path, { given: '', place: where }, call => guard.judge(call, simulatedEvent({ ...event, call })))
    return said === null ? [] : [{ name: nameOfFile(path), reason: said.reason }]
  })
  if (held.length === 0) return []
  const more = held.length > MAX_LISTED ? `, and ${held.length - MAX_LISTED} more` : ''
  const listed = held.slice(0, MAX_LISTED).map(({ name, reason }) => `/${name} (${reason})`)
  return [
    {
      agent: agent.id,
      check: 'own commands',
      state: 'warn',
      message: `${agent.name} calls no hook before lines of a command that is typed: nothing holds ${listed.join(', ')}${more}`,
      remedy: 'read these files before you type their names, or take the lines out',
    },
  ]
}
