import { join } from 'node:path'
import { group, shared } from './hook-file.ts'
import { headless, hostAgent, sameFiles, TRIAL_KEY } from './host-agent.ts'

const TRIAL_CONFIG = `model = "trial"
model_provider = "trial"
model_context_window = 200000
model_auto_compact_token_limit = 180000
check_for_update_on_startup = false
[analytics]
enabled = false
[feedback]
enabled = false
[model_providers.trial]
name = "trial"
base_url = "http://127.0.0.1:9/v1"
wire_api = "responses"
env_key = "BELAY_TRIAL_KEY"
request_max_retries = 0
stream_max_retries = 0
`

const alone = (url: string): readonly string[] => [
  ...['--skip-git-repo-check', '--json'],
  // The first stands for the person who reviews new hooks with /hooks.
  ...['--dangerously-bypass-hook-trust', '--dangerously-bypass-approvals-and-sandbox'],
  ...['-c', `model_providers.trial.base_url="${url}/v1"`],
]

export const codex = hostAgent({
  process: /^codex$|@openai\/codex\b/,
  mark: /^CODEX_(?:SANDBOX\w*|THREAD_ID)$/,
  target: shared('codex', {
    user: ({ env, userHome }) => join(env.CODEX_HOME || join(userHome, '.codex'), 'hooks.json'),
    project: ({ projectRoot }) => join(projectRoot, '.codex', 'hooks.json'),
    spell: group,
  }),
  switches: {
    files: ({ env, userHome, projectRoot }) => [
      join(env.CODEX_HOME || join(userHome, '.codex'), 'config.toml'),
      join(projectRoot, '.codex', 'config.toml'),
      '/etc/codex/requirements.toml',
      '/etc/codex/config.toml',
    ],
    switches: [
      { path: ['features', 'hooks'], off: false },
      { path: ['features', 'codex_hooks'], off: false },
    ],
  },
  trial: {
    args: (url, prompt) => [
      ...['exec', '--skip-git-repo-check', '--json', '-s', 'read-only', '-c', 'model="belay"', '-c', 'model_provider="belay"'],
      '-c',
      `model_providers.belay={name="belay",base_url="${url}/v1",wire_api="responses",env_key="BELAY_DOCTOR_KEY",request_max_retries=0,stream_max_retries=0}`,
      ...['-c', 'check_for_update_on_startup=false', '-c', 'analytics.enabled=false', prompt],
    ],
    env: () => ({ BELAY_DOCTOR_KEY: TRIAL_KEY }),
  },
  headless: headless({
    package: '@openai/codex',
    version: '0.169.0',
    homeFiles: home => ({ [join(home, '.codex', 'config.toml')]: TRIAL_CONFIG }),
    env: ({ home }) => ({ CODEX_HOME: join(home, '.codex'), BELAY_TRIAL_KEY: TRIAL_KEY, RUST_LOG: 'error' }),
    args: (prompt, { url }) => ['exec', ...alone(url), prompt],
    resume: (prompt, { url }) => ['exec', 'resume', '--last', ...alone(url), prompt],
    fullAt: 190_000,
    mcp: (_place, { name, command, args }) => ({
      args: ['-c', `mcp_servers.${name}={command=${JSON.stringify(command)},args=${JSON.stringify(args)}}`],
    }),
    subAgent: 'default',
  }),
  prompt: { promptOptions: [], resumeOptions: {} },
  settings: sameFiles('codex', '.codex/hooks.json'),
  beside: ['config.toml'],
})
