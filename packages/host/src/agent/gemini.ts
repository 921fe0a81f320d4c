import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Spell, shared, timeout } from './hook-file.ts'
import { type Env, headless, hostAgent, jsonText, type PromptForm, sameFiles, TRIAL_KEY } from './host-agent.ts'
import { GEMINI_SWITCHES, settingsIn, variablesIn } from './settings-files.ts'

const namedGroup: Spell = (agent, event, command) => ({
  hooks: [{ name: 'belay', type: 'command', command, timeout: timeout(agent, event) }],
})

export const geminiPrompt: PromptForm = {
  promptOptions: ['-p', '--prompt', '-i', '--prompt-interactive'],
  resumeOptions: { '-r': true, '--resume': true },
}

/** Nothing of it asks, updates itself or reports. */
export function geminiSettings(selectedType: string): unknown {
  return {
    security: { auth: { selectedType }, folderTrust: { enabled: false } },
    general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, disableAutoUpdate: true },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
  }
}

const ALONE = ['-m', 'gemini-2.5-flash', '--skip-trust', '--approval-mode', 'yolo', '-o', 'json']

export const gemini = hostAgent({
  process: /^gemini$|@google\/gemini-cli\b/,
  mark: /^GEMINI_CLI$/,
  sessionVariable: 'GEMINI_SESSION_ID',
  target: shared('gemini', {
    user: ({ userHome }) => join(userHome, '.gemini', 'settings.json'),
    project: ({ projectRoot }) => join(projectRoot, '.gemini', 'settings.json'),
    // Hooks around each model call would cost every turn and decide nothing here.
    events: 'SessionStart BeforeAgent BeforeTool AfterTool AfterAgent Notification PreCompress SessionEnd'.split(' '),
    spell: namedGroup,
  }),
  switches: {
    files: place => ['/etc/gemini-cli/settings.json', ...settingsIn('.gemini', place), ...variablesIn('.gemini', place)],
    switches: GEMINI_SWITCHES,
  },
  shellTool: 'run_shell_command',
  trial: {
    obstacle: findObstacle,
    args: (_url, prompt) => [...ALONE, '-p', prompt],
    env: (url, folder) => ({
      GEMINI_API_KEY: TRIAL_KEY,
      GOOGLE_GEMINI_BASE_URL: url,
      GOOGLE_GENAI_USE_VERTEXAI: undefined,
      GEMINI_CLI_NO_RELAUNCH: 'true',
      GEMINI_CLI_SYSTEM_SETTINGS_PATH: put(folder, 'gemini.json', {
        security: { auth: { selectedType: 'gemini-api-key' } },
        general: { enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
      }),
    }),
  },
  headless: headless({
    package: '@google/gemini-cli',
    version: '0.61.0',
    homeFiles: home => ({ [join(home, '.gemini', 'settings.json')]: jsonText(geminiSettings('gemini-api-key')) }),
    env: ({ url }) => ({
      GEMINI_API_KEY: TRIAL_KEY,
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_CLI_NO_RELAUNCH: 'true',
      NO_COLOR: '1',
    }),
    args: prompt => [...ALONE, '-p', prompt],
    resume: prompt => [...ALONE, '--resume', 'latest', '-p', prompt],
    fullAt: 900_000,
    mcp: ({ project }, { name, ...server }) => ({
      files: { [join(project, '.gemini', 'settings.json')]: jsonText({ mcpServers: { [name]: server } }) },
    }),
    subAgent: 'generalist',
  }),
  prompt: geminiPrompt,
  settings: sameFiles('gemini', '.gemini/settings.json'),
})

/** It ignores settings of the system in a folder that others can write to, and would ask the model that it is signed in to. */
function findObstacle(folder: string, { HOME = '' }: Env): string | null {
  const settings = join(HOME, '.gemini', 'settings.json')
  const [, chosen] = /"selectedType"\s*:\s*"([^"]*)"/.exec(existsSync(settings) ? readFileSync(settings, 'utf8') : '') ?? []
  return chosen === 'gemini-api-key' || isPrivate(folder) ? null : `others can write to ${folder} or a folder above it`
}

function isPrivate(folder: string): boolean {
  const parent = dirname(folder)
  return (statSync(folder).mode & 0o022) === 0 && (parent === folder || isPrivate(parent))
}

function put(folder: string, name: string, value: unknown): string {
  const path = join(folder, name)
  writeFileSync(path, JSON.stringify(value))
  return path
}
