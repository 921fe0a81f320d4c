// Cline runs a file per event, named for the event.
import { join } from 'node:path'
import { canonicalEvent, findAgent } from '@belay/core/adapter'
import { hookCommand } from '../hook-command.ts'
import { type InstallPlace, OWN_MARK, type TargetFile } from '../target.ts'

const EVENTS = ['PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'TaskStart', 'TaskResume', 'TaskCancel', 'TaskComplete']

export function clineFiles({ scope, userHome, projectRoot, shim }: InstallPlace): readonly TargetFile[] {
  const agent = findAgent('cline')
  const folder = scope === 'user' ? join(userHome, 'Documents', 'Cline', 'Hooks') : join(projectRoot, '.cline', 'hooks')
  if (agent === null) return []
  return EVENTS.map(event => ({
    kind: 'own',
    path: join(folder, event),
    text: `#!/bin/sh\n# ${OWN_MARK} cline\n${script(hookCommand(shim, agent, event), canonicalEvent(agent.id, event))}\n`,
    mode: 0o755,
  }))
}

/**
 * To Cline an exit code is a hook that failed, and then the tool runs: only JSON stops it. So before a tool a refusal by exit code is said
 * again in JSON, with its text where that can stand in a string as it is.
 */
function script(command: string, event: string): string {
  if (event !== 'PreToolUse') return command
  return `exec 3>&1
why=$( { ${command}; } 2>&1 >&3 3>&-)
code=$?
[ -n "$why" ] && printf '%s\\n' "$why" >&2
[ $code -eq 0 ] && exit 0
case $why in
  '' | *[![:print:]]* | *[\\\\\\"]*) why='Tool denied: Belay could not judge the call; a person can run \`belay doctor\`' ;;
esac
printf '{"cancel":true,"errorMessage":"%s"}\\n' "$why"`
}
