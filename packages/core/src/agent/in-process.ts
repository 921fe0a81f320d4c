import { EVENTS } from '../event/table.ts'
import { gateOnly, sameNames } from './family.ts'

/** A program of somebody's own that asks the daemon through `createDaemonGate`. */
export const inProcess = gateOnly({
  name: 'Agent in process',
  answer: 'plugin',
  can: {
    ask: true,
    allow: true,
    rewriteInput: true,
    rewritePrompt: true,
    replaceOutput: true,
    continueAtStop: true,
    injectOn: EVENTS.filter(({ injects }) => injects).map(({ name }) => name),
  },
  events: sameNames(EVENTS.map(({ name }) => name).join(' ')),
  timeUnit: null,
  timeoutMs: 60_000,
  onFailure: 'closed',
  contextLimit: 1_000_000,
  saysDenied: true,
  proof: 'run',
})
