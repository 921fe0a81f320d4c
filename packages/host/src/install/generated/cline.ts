// Cline runs a file per event, named for the event.
import { join } from 'node:path'
import { findAgent } from '@belay/core/adapter'
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
    text: `#!/bin/sh\n# ${OWN_MARK} cline\n${hookCommand(shim, agent, event)}\n`,
    mode: 0o755,
  }))
}
