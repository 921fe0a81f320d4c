import { hookCommand } from './hook-command.ts'
import { agentOf, eventsOf, inScope, owned, timeout } from './hook-file.ts'
import { hostAgent } from './host-agent.ts'
import { type InstallPlace, OWN_MARK } from './target.ts'

export const kiro = hostAgent({
  process: /^kiro(?:-cli)?$/,
  target: owned('kiro', '.kiro', place => [{ kind: 'own', path: inScope(place, '.kiro', 'hooks', 'belay.json'), text: hookText(place) }]),
  shellTool: 'execute_bash',
  beside: ['*.json', '../agents/*.json'],
})

function hookText({ shim }: InstallPlace): string {
  const agent = agentOf('kiro')
  const hooks = eventsOf('kiro')
    .filter(name => /^[A-Z]/.test(name))
    .map(event => ({
      name: `belay ${event}`,
      trigger: event,
      action: { type: 'command', command: hookCommand(shim, agent, event) },
      timeout: timeout(agent, event),
      enabled: true,
    }))
  return `${JSON.stringify({ version: 'v1', description: OWN_MARK, hooks }, null, 2)}\n`
}
