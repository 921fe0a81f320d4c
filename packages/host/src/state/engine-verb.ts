// Commands of Belay itself that an agent may always run to get on: every unit of the command is one of them, and nothing else happens.
// They are free from heartbeat and guards only; permissions and hooks hold for them as for any other.
import { callCovered, type ToolCall } from '@belay/core/policy'
import { judgeContext } from '../config/genesis-context.ts'

const VERBS = [
  ...['log', 'effort', 'session', 'dehydrate', 'task', 'directive', 'skill', 'agent list', 'agent show', 'status'],
  ...['capture', 'commit', 'claim', 'release', 'annotate', 'evidence', 'submit', 'commitments'],
]

const ENGINE_CALLS: readonly string[] = ['belay', 'mentu'].flatMap(name => VERBS.map(verb => `Bash(${name} ${verb} *)`))

export interface CallPlace {
  readonly root: string
  readonly cwd: string
  readonly belayHome: string
  readonly userHome: string
}

export function isEngineCall(call: ToolCall, place: CallPlace): boolean {
  const { command } = call.input
  if (call.tool !== 'Bash' || typeof command !== 'string' || !/\b(?:belay|mentu)\b/.test(command)) return false
  return isCovered(ENGINE_CALLS, call, place)
}

/** Every unit and every file effect of the call is covered by a pattern. */
export function isCovered(patterns: Parameters<typeof callCovered>[0], call: ToolCall, place: CallPlace): boolean {
  const { root, cwd, belayHome, userHome } = place
  return callCovered(patterns, call, judgeContext({ root, cwd, belayHome, env: { HOME: userHome }, hasPolicy: false }))
}
