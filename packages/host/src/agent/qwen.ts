import { join } from 'node:path'
import { geminiPrompt, geminiSettings } from './gemini.ts'
import { group, shared } from './hook-file.ts'
import { headless, hostAgent, jsonText, sameFiles, TRIAL_KEY } from './host-agent.ts'
import { ALL_HOOKS, GEMINI_SWITCHES, settingsIn, variablesIn } from './settings-files.ts'

const ALONE = ['--approval-mode', 'yolo', '--auth-type', 'openai', '-o', 'json']

export const qwen = hostAgent({
  process: /^qwen$|@qwen-code\/qwen-code\b/,
  mark: /^QWEN_CODE$/,
  target: shared('qwen', {
    user: ({ userHome }) => join(userHome, '.qwen', 'settings.json'),
    project: ({ projectRoot }) => join(projectRoot, '.qwen', 'settings.json'),
    spell: group,
  }),
  switches: {
    files: place => ['/etc/qwen-code/settings.json', ...settingsIn('.qwen', place), ...variablesIn('.qwen', place)],
    switches: [
      ALL_HOOKS,
      ...GEMINI_SWITCHES,
      ...['QWEN_CODE_SAFE_MODE', 'QWEN_CODE_SIMPLE'].map(name => ({ path: ['env', name], off: 'set' }) as const),
    ],
  },
  shellTool: 'run_shell_command',
  trial: {
    args: (url, prompt) => [
      ...['--auth-type', 'openai', '--openai-api-key', TRIAL_KEY, '--openai-base-url', `${url}/v1`, '--model', 'belay'],
      ...['--approval-mode', 'yolo', '-o', 'json', '-p', prompt],
    ],
    env: url => ({ OPENAI_API_KEY: TRIAL_KEY, OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'belay' }),
  },
  headless: headless({
    package: '@qwen-code/qwen-code',
    version: '0.24.4',
    node: '22.23.3',
    homeFiles: home => ({ [join(home, '.qwen', 'settings.json')]: jsonText(geminiSettings('openai')) }),
    env: ({ url }) => ({ OPENAI_API_KEY: TRIAL_KEY, OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'trial', NO_COLOR: '1' }),
    args: prompt => [...ALONE, '-p', prompt],
    resume: prompt => [...ALONE, '--continue', '-p', prompt],
    fullAt: 172_000,
    mcp: ({ project }, { name, ...server }) => ({
      files: { [join(project, '.qwen', 'settings.json')]: jsonText({ mcpServers: { [name]: server } }) },
    }),
    silent: ['SessionEnd'],
  }),
  prompt: { ...geminiPrompt, resumeOptions: { '-r': true, '--resume': true, '-c': false, '--continue': false } },
  settings: sameFiles('qwen', '.qwen/settings.json'),
})
