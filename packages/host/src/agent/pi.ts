import { piExtension } from './generated/pi.ts'
import { inScope, owned } from './hook-file.ts'
import { hostAgent } from './host-agent.ts'

export const pi = hostAgent({
  process: /^pi$|\/pi-coding-agent\b/,
  target: owned('pi', '.pi', place => [
    {
      kind: 'own',
      path:
        place.scope === 'user' ? inScope(place, '.pi', 'agent', 'extensions', 'belay.js') : inScope(place, '.pi', 'extensions', 'belay.js'),
      text: piExtension(place.shim),
    },
  ]),
  shellTool: 'bash',
  prompt: {
    promptOptions: [],
    resumeOptions: { '-c': false, '--continue': false, '-r': false, '--resume': false, '--session': true },
  },
  gateEvent: 'tool_call',
})
