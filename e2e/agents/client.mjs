// The real agents: how each is fetched from npm, set up without an account, and started headless against the scripted model.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Outside the repository: the clients are hundreds of megabytes. */
export const CACHE = process.env.BELAY_AGENT_CACHE ?? join(homedir(), '.cache', 'belay-agents')

/** Versions are named: what one passes today must pass tomorrow. To try another, name it and empty the cache. */
export const CLIENTS = {
  'claude-code': {
    spec: '@anthropic-ai/claude-code@2.1.325',
    bin: 'claude',
    setUp: ({ home }) => put(join(home, '.claude', '.claude.json'), { hasCompletedOnboarding: true }),
    env: ({ home, url }) => ({
      CLAUDE_CONFIG_DIR: join(home, '.claude'),
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'scripted',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    }),
    args: (prompt, more) => ['-p', prompt, '--output-format', 'stream-json', '--verbose', '--allowedTools', 'Bash,Task,Agent', ...more],
  },
  codex: {
    spec: '@openai/codex@0.166.0',
    bin: 'codex',
    setUp: ({ home }) => {
      mkdirSync(join(home, '.codex'), { recursive: true })
      writeFileSync(join(home, '.codex', 'config.toml'), CODEX_CONFIG)
    },
    env: ({ home }) => ({ CODEX_HOME: join(home, '.codex'), SCRIPTED_KEY: 'scripted', RUST_LOG: 'error' }),
    args: (prompt, more, { url }) => [
      'exec',
      '--skip-git-repo-check',
      // Stands for the person who reviews new hooks with /hooks.
      '--dangerously-bypass-hook-trust',
      '--dangerously-bypass-approvals-and-sandbox',
      '--json',
      '-c',
      `model_providers.scripted.base_url="${url}/v1"`,
      ...more,
      prompt,
    ],
  },
  gemini: {
    spec: '@google/gemini-cli@0.61.0',
    bin: 'gemini',
    setUp: ({ home }) =>
      put(join(home, '.gemini', 'settings.json'), {
        security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
        general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, disableAutoUpdate: true },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
      }),
    env: ({ url }) => ({ GEMINI_API_KEY: 'scripted', GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_NO_RELAUNCH: 'true', NO_COLOR: '1' }),
    args: (prompt, more) => ['-m', 'gemini-2.5-flash', '--skip-trust', '--approval-mode', 'yolo', '-o', 'json', ...more, '-p', prompt],
  },
  copilot: {
    spec: '@github/copilot@1.0.102',
    bin: 'copilot',
    setUp: () => undefined,
    env: ({ url }) => ({
      COPILOT_OFFLINE: 'true',
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_API_KEY: 'scripted',
      COPILOT_MODEL: 'scripted',
      COPILOT_AUTO_UPDATE: 'false',
    }),
    args: (prompt, more) => ['-p', prompt, '--allow-all-tools', '--no-color', ...more],
  },
  qwen: {
    spec: '@qwen-code/qwen-code@0.15.10',
    bin: 'qwen',
    setUp: ({ home }) =>
      put(join(home, '.qwen', 'settings.json'), {
        security: { auth: { selectedType: 'openai' }, folderTrust: { enabled: false } },
        general: { enableAutoUpdate: false, disableAutoUpdate: true },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
      }),
    env: ({ url }) => ({ OPENAI_API_KEY: 'scripted', OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'scripted', NO_COLOR: '1' }),
    args: (prompt, more) => ['--approval-mode', 'yolo', '--auth-type', 'openai', '-o', 'json', ...more, '-p', prompt],
  },
  grok: {
    spec: '@xai-official/grok@1.0.41',
    bin: 'grok',
    borrows: 'claude-code',
    setUp: () => undefined,
    env: ({ home, url }) => {
      mkdirSync(join(home, '.grok'), { recursive: true })
      writeFileSync(join(home, '.grok', 'config.toml'), grokConfig(url))
      return { SCRIPTED_KEY: 'scripted' }
    },
    args: (prompt, more) => ['-p', prompt, '--output-format', 'json', '--always-approve', '-m', 'scripted', ...more],
  },
  pi: {
    spec: '@mariozechner/pi-coding-agent@0.73.1',
    bin: 'pi',
    setUp: () => undefined,
    env: ({ home, url }) => {
      const model = {
        baseUrl: `${url}/v1`,
        api: 'openai-completions',
        apiKey: 'scripted',
        models: [{ id: 'scripted', contextWindow: 100_000, maxTokens: 8000 }],
      }
      put(join(home, '.pi', 'agent', 'models.json'), { providers: { scripted: model } })
      return { PI_OFFLINE: '1', PI_SKIP_VERSION_CHECK: '1', PI_TELEMETRY: '0' }
    },
    args: (prompt, more) => ['-p', '--provider', 'scripted', '--model', 'scripted', ...more, prompt],
  },
  opencode: {
    spec: 'opencode-ai@1.18.33',
    bin: 'opencode',
    // It installs a package when it starts in a new home.
    limitMs: 600_000,
    setUp: () => undefined,
    env: ({ home, project, url }) => {
      put(join(project, 'opencode.json'), { autoupdate: false, share: 'disabled', ...compatibleModel(url) })
      return {
        npm_config_registry: registry(),
        NPM_CONFIG_REGISTRY: registry(),
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        OPENCODE_DISABLE_MODELS_FETCH: '1',
        OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
        OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
        XDG_DATA_HOME: join(home, 'data'),
        XDG_CACHE_HOME: join(home, 'cache'),
        XDG_STATE_HOME: join(home, 'state'),
      }
    },
    args: (prompt, more) => ['run', ...more, '--format', 'json', prompt],
  },
  kilo: {
    spec: '@kilocode/cli@7.7.7',
    bin: 'kilo',
    limitMs: 600_000,
    setUp: () => undefined,
    env: ({ home, project, url }) => {
      put(join(project, 'kilo.json'), { autoupdate: false, share: 'disabled', ...compatibleModel(url) })
      return {
        npm_config_registry: registry(),
        NPM_CONFIG_REGISTRY: registry(),
        KILO_DISABLE_AUTOUPDATE: '1',
        KILO_DISABLE_MODELS_FETCH: '1',
        KILO_DISABLE_LSP_DOWNLOAD: '1',
        KILO_DISABLE_DEFAULT_PLUGINS: '1',
        KILO_DISABLE_SESSION_INGEST: '1',
        KILO_DISABLE_SHARE: '1',
        XDG_DATA_HOME: join(home, 'data'),
        XDG_CACHE_HOME: join(home, 'cache'),
        XDG_STATE_HOME: join(home, 'state'),
      }
    },
    args: (prompt, more) => ['run', '--auto', ...more, '--format', 'json', prompt],
  },
}

/** A model behind an address, as opencode and Kilo are told of one. */
function compatibleModel(url) {
  const models = { scripted: { name: 'scripted', tool_call: true, limit: { context: 100_000, output: 8000 } } }
  const provider = { npm: '@ai-sdk/openai-compatible', name: 'scripted', options: { baseURL: `${url}/v1`, apiKey: 'scripted' }, models }
  return { model: 'scripted/scripted', small_model: 'scripted/scripted', provider: { scripted: provider } }
}

function registry() {
  return execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
}

const CODEX_CONFIG = `model = "scripted"
model_provider = "scripted"
check_for_update_on_startup = false
[analytics]
enabled = false
[feedback]
enabled = false
[model_providers.scripted]
name = "scripted"
base_url = "http://127.0.0.1:9/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
request_max_retries = 0
stream_max_retries = 0
`

const grokConfig = url => `[models]
default = "scripted"
[model.scripted]
base_url = "${url}/v1"
env_key = "SCRIPTED_KEY"
api_backend = "chat_completions"
`

/** Program and version of an agent that is in the cache; null: it is not. */
export function findClient(agent) {
  const { spec, bin } = CLIENTS[agent]
  const folder = join(CACHE, agent, 'node_modules')
  const about = join(folder, spec.replace(/(.)@.*$/, '$1'), 'package.json')
  return existsSync(about) ? { program: join(folder, '.bin', bin), version: JSON.parse(readFileSync(about, 'utf8')).version } : null
}

/** Fetches the agent into the cache, once. */
export function fetchClient(agent) {
  const known = findClient(agent)
  if (known !== null) return known
  installInto(join(CACHE, agent), CLIENTS[agent].spec)
  return findClient(agent)
}

/** Fetches a package into the cache, once; gives its folder. */
export function fetchPackage(name, version) {
  const folder = join(CACHE, name.replaceAll('/', '-'))
  const found = join(folder, 'node_modules', name)
  if (!existsSync(found)) installInto(folder, `${name}@${version}`)
  return found
}

function installInto(folder, spec) {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', spec], { cwd: folder, stdio: 'inherit' })
}

/** Runs the agent to its end. `under`: the words of a command that starts it. */
export function runClient({ agent, program, prompt, args = [], place, env = {}, limitMs = CLIENTS[agent].limitMs ?? 240_000, under = [] }) {
  const client = CLIENTS[agent]
  const [command, ...words] = [...under, program, ...client.args(prompt, args, place)]
  return new Promise(resolve => {
    const child = spawn(command, words, {
      cwd: place.project,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        LANG: 'C.UTF-8',
        TERM: 'dumb',
        HOME: place.home,
        BELAY_NO_AUTOSTART: '1',
        ...client.env(place),
        ...env,
      },
    })
    let out = ''
    let err = ''
    child.stdout.on('data', chunk => {
      out += chunk
    })
    child.stderr.on('data', chunk => {
      err += chunk
    })
    const timer = setTimeout(() => child.kill('SIGKILL'), limitMs)
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      resolve({ code: code ?? signal, out, err })
    })
  })
}

function put(path, value) {
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)
}
