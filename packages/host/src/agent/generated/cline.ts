// Cline runs a file per event, named for the event.
import { join } from 'node:path'
import { type Agent, findAgent } from '@belay/core/adapter'
import { brokenClient, clientCall, hookCommand, isGate, PROOF, quote } from '../hook-command.ts'
import { type InstallPlace, OWN_MARK, type TargetFile } from '../target.ts'

const EVENTS = [
  'PreToolUse',
  'PostToolUse',
  'UserPromptSubmit',
  'TaskStart',
  'TaskResume',
  'TaskCancel',
  'TaskComplete',
  'TaskError',
  'SessionShutdown',
]

export function clineFiles({ scope, userHome, projectRoot, shim }: InstallPlace): readonly TargetFile[] {
  const agent = findAgent('cline')
  const folder = scope === 'user' ? join(userHome, 'Documents', 'Cline', 'Hooks') : join(projectRoot, '.cline', 'hooks')
  if (agent === null) return []
  return EVENTS.map(event => ({
    kind: 'own',
    path: join(folder, event),
    text: `#!/bin/sh\n# ${OWN_MARK} cline\n${script(shim, agent, event)}\n`,
    mode: 0o755,
  }))
}

/**
 * To Cline an exit code is a hook that failed, and then the tool runs: only JSON stops it, and only where nothing else stands on stdout. So
 * before a tool the client's answer is held back until it is proved, and a refusal by exit code is said again in JSON, with its text where
 * that can stand in a string as it is.
 */
function script(shim: string, agent: Agent, event: string): string {
  if (!isGate(agent.id, event)) return hookCommand(shim, agent, event)
  return `deny=${quote(JSON.stringify({ cancel: true, errorMessage: brokenClient(agent.id) }))}
trap 'printf "%s\\n" "$deny"; exit 0' 0
trap 'exit 0' 1 2 3 13 14 15
exec 3>&1
why=$(
  exec 4>&1
  answer=$(${clientCall(shim, agent, event)} 2>&4 3>&- 4>&-)
  code=$?
  [ $code -eq ${PROOF} ] && { printf '%s' "$answer" >&3 || code=1; }
  exit $code
)
code=$?
[ -n "$why" ] && printf '%s\\n' "$why" >&2
[ $code -eq ${PROOF} ] && { trap - 0; exit 0; }
case $code-$why in
  ${PROOF + 2}- | *[![:print:]]* | *[\\\\\\"]*) ;;
  ${PROOF + 2}-*) deny="{\\"cancel\\":true,\\"errorMessage\\":\\"$why\\"}" ;;
esac`
}
