// What agents may not touch, as data. No allow rule removes a row. `~/` hangs on the home, `/` on the file system's root,
// everything else stands anywhere on the disk, because a nested project or another home is configuration just the same.

export interface ProtectedPlace {
  /** Segments; a row covers the name itself and everything below it. */
  readonly path: string
  readonly write: 'deny' | 'ask'
  readonly read?: 'deny'
  readonly what: string
}

const policy = "Belay's policy and records"
const secret = "Belay's keys, tokens and sockets"
const agent = 'the configuration of an agent'
const git = 'what git runs by itself'
const shell = 'a start file of the shell'

/** `BELAY_HOME` stands for wherever that is. */
export const protectedPlaces: readonly ProtectedPlace[] = [
  { path: '.belay', write: 'deny', what: policy },
  { path: '.mentu', write: 'deny', what: policy },
  { path: '/etc/belay', write: 'deny', what: policy },
  { path: 'BELAY_HOME', write: 'deny', what: policy },
  { path: '.belay/keys', write: 'deny', read: 'deny', what: secret },
  { path: '.belay/run', write: 'deny', read: 'deny', what: secret },
  { path: 'BELAY_HOME/keys', write: 'deny', read: 'deny', what: secret },
  { path: 'BELAY_HOME/run', write: 'deny', read: 'deny', what: secret },
  ...asking(agent, [
    '.claude',
    '.claude.json',
    '.mcp.json',
    '.cursor',
    '.gemini',
    '.codex',
    '.qwen',
    '.copilot',
    '.github/hooks',
    '.windsurf',
    '.codeium',
    '.factory',
    '.kiro',
    '.continue',
    '.cline',
    '.clinerules/hooks',
    '.opencode',
    'opencode.json',
    'opencode.jsonc',
    '.pi',
    '.amp',
    '.augment',
    '.goose',
    '.agents/plugins',
    '.vscode/settings.json',
    '.vscode/mcp.json',
    '~/.config/opencode',
    '~/.config/goose',
    '~/.config/amp',
    '~/.config/github-copilot',
    '~/Documents/Cline/Hooks',
    '~/Library/Application Support/Claude',
    '/etc/claude-code',
    '/etc/codex',
    '/etc/gemini-cli',
    '/etc/windsurf',
  ]),
  ...asking(git, ['.git/hooks', '.git/config', '.git/config.worktree', '.git/modules', '~/.gitconfig', '~/.config/git', '/etc/gitconfig']),
  ...asking(shell, [
    '~/.profile',
    '~/.bashrc',
    '~/.bash_profile',
    '~/.bash_login',
    '~/.bash_logout',
    '~/.bash_aliases',
    '~/.zshrc',
    '~/.zshenv',
    '~/.zprofile',
    '~/.zlogin',
    '~/.zlogout',
    '~/.kshrc',
    '~/.cshrc',
    '~/.tcshrc',
    '~/.login',
    '~/.xprofile',
    '~/.xinitrc',
    '~/.pam_environment',
    '~/.config/fish',
    '~/.config/environment.d',
    '/etc/profile',
    '/etc/profile.d',
    '/etc/bash.bashrc',
    '/etc/bashrc',
    '/etc/zsh',
    '/etc/zshrc',
    '/etc/zshenv',
    '/etc/zprofile',
    '/etc/environment',
  ]),
]

function asking(what: string, paths: readonly string[]): ProtectedPlace[] {
  return paths.map(path => ({ path, write: 'ask', what }))
}
