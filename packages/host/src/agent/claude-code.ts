import { join } from 'node:path'
import { group, shared } from './hook-file.ts'
import { headless, hostAgent, jsonText, TRIAL_KEY } from './host-agent.ts'
import { ALL_HOOKS, claudeSettings } from './settings-files.ts'

/** A WorktreeCreate hook replaces the making of worktrees, MessageDisplay runs for every piece of text; the rest only watches. */
const EVENTS =
  'PreToolUse PostToolUse PostToolUseFailure PostToolBatch UserPromptSubmit UserPromptExpansion SessionStart SessionEnd Stop StopFailure SubagentStart SubagentStop PreCompact PostCompact Notification PermissionRequest PermissionDenied TeammateIdle TaskCreated TaskCompleted ConfigChange PreModelSwitch'.split(
    ' ',
  )

const PRINTED = ['--output-format', 'stream-json', '--verbose']
const ALLOWED = ['--allowedTools', 'Bash,Task,Agent,Write,Read,Grep,mcp__demo']

export const claudeCode = hostAgent({
  process: /^claude$|@anthropic-ai\/claude-(?:code|agent-sdk)\b/,
  mark: /^CLAUDECODE$/,
  sessionVariable: 'CLAUDE_CODE_SESSION_ID',
  target: shared('claude-code', {
    user: ({ env, userHome }) => join(env.CLAUDE_CONFIG_DIR || join(userHome, '.claude'), 'settings.json'),
    project: ({ projectRoot }) => join(projectRoot, '.claude', 'settings.json'),
    events: EVENTS,
    spell: group,
    readsMark: true,
    settings: { statusLine: 'statusline', fileSuggestion: 'files' },
  }),
  switches: {
    files: claudeSettings,
    switches: [
      ALL_HOOKS,
      { path: ['allowManagedHooksOnly'], off: true },
      // The prefix stands before every hook's command; the others leave out the hooks of the user.
      ...'CLAUDE_CODE_SHELL_PREFIX CLAUDE_CODE_SHELL CLAUDE_CODE_SIMPLE CLAUDE_CODE_SAFE_MODE CLAUDE_CODE_PERSONAL_HOOKS_OFF CLAUDE_CONFIG_DIR'
        .split(' ')
        .map(name => ({ path: ['env', name], off: 'set' }) as const),
    ],
  },
  trial: {
    args: (url, prompt) => [
      ...['-p', prompt, '--output-format', 'json', '--allowedTools', 'Bash', '--settings'],
      JSON.stringify({ env: trialEnv(url) }),
    ],
    env: trialEnv,
  },
  headless: headless({
    package: '@anthropic-ai/claude-code',
    version: '2.1.328',
    homeFiles: home => ({ [join(home, '.claude', '.claude.json')]: jsonText({ hasCompletedOnboarding: true }) }),
    // The tools stand in the request itself, not behind a search.
    env: ({ home, url }) => ({
      ...trialEnv(url),
      CLAUDE_CONFIG_DIR: join(home, '.claude'),
      ENABLE_TOOL_SEARCH: 'false',
      CLAUDE_CODE_AUTO_COMPACT_WINDOW: '200000',
    }),
    args: prompt => [...PRINTED, ...ALLOWED, '-p', prompt],
    resume: prompt => [...PRINTED, ...ALLOWED, '--continue', '-p', prompt],
    asking: prompt => ({ args: [...PRINTED, '-p', prompt] }),
    fullAt: 190_000,
    mcp: ({ project }, { name, ...server }) => ({
      files: { [join(project, 'servers.json')]: jsonText({ mcpServers: { [name]: server } }) },
      args: ['--mcp-config', join(project, 'servers.json'), '--strict-mcp-config'],
    }),
  }),
  prompt: {
    promptOptions: [],
    resumeOptions: { '-c': false, '--continue': false, '-r': true, '--resume': true, '--fork-session': false, '--session-id': true },
  },
  settings: {
    dialect: 'claude',
    user: ['.claude/settings.json'],
    project: ['.claude/settings.json', '.claude/settings.local.json'],
  },
  beside: ['settings.local.json'],
})

function trialEnv(url: string): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: TRIAL_KEY,
    ANTHROPIC_AUTH_TOKEN: '',
    CLAUDE_CODE_USE_BEDROCK: '',
    CLAUDE_CODE_USE_VERTEX: '',
    CLAUDE_CODE_USE_FOUNDRY: '',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  }
}
