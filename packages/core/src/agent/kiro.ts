import { gateOnly, hookFilesIn, sameNames } from './family.ts'

export const kiro = gateOnly({
  name: 'Kiro',
  program: 'kiro-cli',
  ownPaths: ['.kiro'],
  hookPaths: hookFilesIn('.kiro'),
  answer: 'exit-code',
  obeysExitCode: true,
  events: {
    ...sameNames('PreToolUse PostToolUse UserPromptSubmit SessionStart Stop'),
    preToolUse: 'PreToolUse',
    postToolUse: 'PostToolUse',
    userPromptSubmit: 'UserPromptSubmit',
    agentSpawn: 'SessionStart',
    stop: 'Stop',
  },
  tools: {
    execute_bash: 'Bash',
    execute_cmd: 'Bash',
    shell: 'Bash',
    fs_read: 'Read',
    fs_write: 'Write',
    glob: 'Glob',
    grep: 'Grep',
    web_fetch: 'WebFetch',
    web_search: 'WebSearch',
    use_subagent: 'Task',
  },
  toolArguments: { path: 'file_path', file_text: 'content' },
  mcpTool: name => (name.startsWith('@') ? `mcp__${name.slice(1).replace('/', '__')}` : null),
  /** It reads several files at once, each an operation with its path. */
  readPaths: ({ operations }) => (Array.isArray(operations) ? operations.map(operation => operation?.path) : []),
  timeoutMs: 30_000,
  hasSession: false,
  hasCallId: false,
})
