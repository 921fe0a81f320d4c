import { join } from 'node:path'
import { piExtension } from './generated/pi.ts'
import { inScope, owned } from './hook-file.ts'
import { headless, hostAgent, jsonText, TRIAL_KEY } from './host-agent.ts'

const ALONE = ['-p', '--provider', 'trial', '--model', 'trial']

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
  headless: headless({
    package: '@earendil-works/pi-coding-agent',
    version: '0.87.1',
    node: '22.23.3',
    runFiles: ({ home, url }) => ({
      [join(home, '.pi', 'agent', 'models.json')]: jsonText({
        providers: {
          trial: {
            baseUrl: `${url}/v1`,
            api: 'openai-completions',
            apiKey: TRIAL_KEY,
            models: [{ id: 'trial', contextWindow: 100_000, maxTokens: 8000 }],
          },
        },
      }),
    }),
    env: () => ({ PI_OFFLINE: '1', PI_SKIP_VERSION_CHECK: '1', PI_TELEMETRY: '0' }),
    args: prompt => [...ALONE, prompt],
    resume: prompt => [...ALONE, '--continue', prompt],
  }),
  prompt: {
    promptOptions: [],
    resumeOptions: { '-c': false, '--continue': false, '-r': false, '--resume': false, '--session': true },
  },
  gateEvent: 'tool_call',
})
