import { join } from 'node:path'
import { clineFiles } from './generated/cline.ts'
import { owned } from './hook-file.ts'
import { headless, hostAgent, jsonText, TRIAL_KEY } from './host-agent.ts'

const PROVIDER = 'openai-compatible'

const alone = (project: string): readonly string[] => ['-P', PROVIDER, '-m', 'trial', '--json', '-c', project]

export const cline = hostAgent({
  process: /^cline$|@cline\/cli\b/,
  mark: /^CLINE_CONNECTOR_CLI_LAUNCH$|^CLINE_ACTIVE$/,
  target: owned('cline', '.cline', clineFiles),
  shellTool: 'run_commands',
  canary: ({ session, cwd, command }) => ({
    taskId: session,
    workspaceRoots: [cwd],
    tool_call: { id: 'canary', name: 'run_commands', input: { commands: [command] } },
  }),
  headless: headless({
    package: 'cline',
    version: '3.0.65',
    runFiles: ({ home, url }) => ({ [join(home, '.cline', 'data', 'settings', 'providers.json')]: jsonText(trialProvider(url)) }),
    // Without a daemon of its own that goes on when the run has ended.
    env: () => ({ CLINE_SESSION_BACKEND_MODE: 'local', CLINE_NO_AUTO_UPDATE: '1', CLINE_TELEMETRY_DISABLED: '1' }),
    args: (prompt, { project }) => [...alone(project), prompt],
    asking: (prompt, { project }) => ({ args: [...alone(project), '--auto-approve', 'false', prompt] }),
    mcp: ({ home }, { name, command, args }) => ({
      files: {
        [join(home, '.cline', 'data', 'settings', 'cline_mcp_settings.json')]: jsonText({
          mcpServers: { [name]: { transport: { type: 'stdio', command, args } } },
        }),
      },
    }),
    silent: ['UserPromptSubmit'],
  }),
})

function trialProvider(url: string): unknown {
  const settings = { provider: PROVIDER, apiKey: TRIAL_KEY, model: 'trial', baseUrl: `${url}/v1` }
  const updatedAt = '2026-01-01T00:00:00.000Z'
  return {
    version: 1,
    lastUsedProvider: PROVIDER,
    modes: {},
    providers: { [PROVIDER]: { settings, updatedAt, tokenSource: 'manual' } },
  }
}
