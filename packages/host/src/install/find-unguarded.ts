// Where guarding fails by what an agent's files say: hooks switched off, taken out or weakened, or a shell that others reach before us. Reads
// files only, so that it can be asked often.
import { findAgent } from '@belay/core/adapter'
import { listTargets } from '../agent/agents.ts'
import type { InstallPlace, Target } from '../agent/target.ts'
import { checkSwitches } from './check-switch.ts'
import { checkWiring, isInstalled, wasInstalled } from './check-wiring.ts'
import type { Finding } from './finding.ts'

/** Of every agent that Belay is, or was, installed for. `placeIn`: where that scope is installed here. */
export function findUnguarded(home: string, placeIn: (scope: InstallPlace['scope']) => InstallPlace): readonly Finding[] {
  return listTargets()
    .flatMap(target => findingsOf(target, home, placeIn))
    .filter(({ state }) => state === 'fail')
}

/** Agents whose files hold our lines here, right or wrong. */
export function listGuarded(placeIn: (scope: InstallPlace['scope']) => InstallPlace): readonly string[] {
  return listTargets().flatMap(target => (target.scopes.some(scope => isInstalled(target, placeIn(scope))) ? [target.agent] : []))
}

function findingsOf(target: Target, home: string, placeIn: (scope: InstallPlace['scope']) => InstallPlace): readonly Finding[] {
  const agent = findAgent(target.agent)
  const places = target.scopes.map(placeIn).filter(place => isInstalled(target, place) || wasInstalled(target, place, home))
  if (agent === null || places.length === 0) return []
  return [...checkSwitches(agent.id, placeIn('project')), ...places.flatMap(place => checkWiring(target, agent, place, home).findings)]
}
