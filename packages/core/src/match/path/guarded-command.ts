// Commands that self-protection looks at, as data.

/** Names that Belay is installed under, without directory, version and file ending. */
export const belayNames: ReadonlySet<string> = new Set(['belay', 'mentu', '@belay/host', '@belay/core', 'belayd'])

/** Programs that start another one named in their arguments. */
export const launchers: ReadonlySet<string> = new Set([
  ...['npx', 'npm', 'pnpm', 'pnpx', 'yarn', 'yarnpkg', 'bun', 'bunx', 'node', 'nodejs', 'deno', 'tsx', 'ts-node', 'corepack', 'volta'],
])

/**
 * Verbs for people only: those that approve, change policy, keys or roles, lose records, or switch the guard off.
 * Two words: only that sub-command.
 */
export const personOnlyVerbs: ReadonlySet<string> = new Set([
  ...['approvals', 'policy', 'key', 'ledger gc', 'down', 'uninstall'],
  ...['pause', 'allow', 'ask', 'deny', 'agent bind', 'restore', 'dashboard', 'commitments import'],
])

/** Verbs of agents' own command lines that change what they run: `claude mcp add`. */
export const agentSetupVerbs: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  ['claude', 'codex', 'gemini', 'qwen', 'copilot', 'opencode', 'droid', 'cursor-agent', 'kiro-cli', 'goose', 'amp', 'cline', 'cn'].map(
    program => [program, new Set(['mcp', 'plugin', 'plugins', 'extensions', 'hooks', 'config'])],
  ),
)

/** Programs that change every file they are given; their operands need no further reading. */
export const fileChangers: ReadonlySet<string> = new Set([
  ...['rm', 'rmdir', 'unlink', 'shred', 'srm', 'mv', 'rename', 'chmod', 'chown', 'chgrp', 'chattr', 'setfacl', 'touch', 'truncate', 'tee'],
  ...[
    'ln',
    'link',
    'install',
    'rsync',
    'dd',
    'mkfifo',
    'mount',
    'umount',
    'patch',
    'sqlite3',
    'vi',
    'vim',
    'nvim',
    'nano',
    'emacs',
    'ed',
    'ex',
  ],
])

export const gitFileChangers: ReadonlySet<string> = new Set(['rm', 'mv', 'checkout', 'restore', 'clean'])

/** Programs whose code can open any file without the path being an operand. */
export const interpreters: ReadonlySet<string> = new Set([
  ...[
    'python',
    'python2',
    'python3',
    'node',
    'nodejs',
    'deno',
    'bun',
    'perl',
    'ruby',
    'php',
    'lua',
    'awk',
    'gawk',
    'mawk',
    'sed',
    'osascript',
  ],
])

/** Programs that may name the socket because they do not speak to it. */
export const socketOnlookers: ReadonlySet<string> = new Set([
  'ls',
  'stat',
  'test',
  '[',
  '[[',
  'file',
  'echo',
  'printf',
  'find',
  'grep',
  'rg',
  'git',
])

export const processKillers: ReadonlySet<string> = new Set(['pkill', 'killall', 'kill', 'skill', 'xkill'])
export const processFinders: ReadonlySet<string> = new Set(['pgrep', 'pidof'])
export const serviceKeepers: ReadonlySet<string> = new Set(['systemctl', 'launchctl', 'service', 'pm2', 'brew'])
export const serviceEnds: ReadonlySet<string> = new Set([
  ...['stop', 'kill', 'disable', 'mask', 'restart', 'unload', 'bootout', 'remove', 'delete'],
])
