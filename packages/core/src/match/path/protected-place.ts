// What agents may not touch, as data. No allow rule removes a row. `~/` hangs on the home, `/` on the file system's root,
// everything else stands anywhere on the disk, because a nested project or another home is configuration just the same.
import { listAgents } from '../../agent/agents.ts'

export interface ProtectedPlace {
  /** Segments; a row covers the name itself and everything below it. */
  readonly path: string
  readonly write: 'deny' | 'ask'
  readonly read?: 'deny'
  /** Whoever takes a directory above it along is only asked about (`rm -rf node_modules`). */
  readonly isReplaceable?: true
  readonly what: string
}

export const policy = "Belay's policy and records"
const secret = "Belay's keys, tokens and sockets"
const agent = 'the configuration of an agent'
const git = 'what git runs by itself'
const system = 'where the system ends, holds and limits processes'
const shell = 'a start file of the shell'

export const ownProgram = { write: 'deny', what: "Belay's own program", isReplaceable: true } as const
export const neededProgram = { write: 'ask', what: 'what Belay runs with', isReplaceable: true } as const

/** `BELAY_HOME` stands for wherever that is. */
export const protectedPlaces: readonly ProtectedPlace[] = [
  { path: '.belay', write: 'deny', what: policy },
  { path: '.mentu', write: 'deny', what: policy },
  { path: '/etc/belay', write: 'deny', what: policy },
  { path: '/proc', write: 'ask', what: system },
  { path: '/sys/fs/cgroup', write: 'ask', what: system },
  { path: 'BELAY_HOME', write: 'deny', what: policy },
  { path: '.belay/keys', write: 'deny', read: 'deny', what: secret },
  { path: '.belay/run', write: 'deny', read: 'deny', what: secret },
  { path: 'BELAY_HOME/keys', write: 'deny', read: 'deny', what: secret },
  { path: 'BELAY_HOME/run', write: 'deny', read: 'deny', what: secret },
  ...['belay', 'belay-*'].flatMap(folder =>
    ['daemon.sock', 'shim.sock'].map(name => ({ path: `${folder}/${name}`, write: 'deny', read: 'deny', what: secret }) as const),
  ),
  { path: 'genesis.key', write: 'ask', what: "a policy of Belay's" },
  // A program of that name before ours in a person's PATH gets what the person types.
  ...asking("Belay's program by its name", ['bin/belay', 'bin/mentu', '.bin/belay', '.bin/mentu']),
  ...asking(
    agent,
    listAgents().flatMap(({ ownPaths }) => ownPaths),
  ),
  ...asking(agent, ['.agents/plugins', '.amp', '~/.config/amp', '.augment', '.vscode/settings.json', '.vscode/mcp.json']),
  ...asking(git, [
    '.git/hooks',
    '.git/config',
    '.git/config.worktree',
    '.git/info/attributes',
    '.git/modules',
    '~/.gitconfig',
    '~/.config/git',
    '/etc/gitconfig',
  ]),
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
    '~/.xsession',
    '~/.xsessionrc',
    '~/.Xclients',
    '~/.inputrc',
    '~/.pam_environment',
    '~/.bashrc.d',
    '~/.zsh_aliases',
    '~/.aliases',
    '~/.oh-my-zsh',
    '~/.config/zsh',
    '~/.direnvrc',
    '~/.config/direnv',
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
  ...asking('what the system starts by itself', [
    '~/.config/autostart',
    '~/.config/systemd',
    '~/.config/plasma-workspace',
    '~/Library/LaunchAgents',
    '~/.ssh/rc',
    '/Library/LaunchAgents',
    '/Library/LaunchDaemons',
    '/etc/crontab',
    '/etc/cron.d',
    '/etc/systemd',
    '/etc/init.d',
    '/etc/rc.local',
    '/etc/ld.so.preload',
    '/etc/sudoers',
    '/etc/sudoers.d',
    '~/.local/share/systemd',
    '~/.local/share/dbus-1',
  ]),
  ...asking("what a person's terminal runs by itself", [
    '~/.tmux.conf',
    '~/.config/tmux',
    '~/.screenrc',
    '~/.bash_completion',
    '~/.local/share/bash-completion',
    '~/.config/starship.toml',
    '~/.config/kitty',
    '~/.config/alacritty',
    '~/.config/wezterm',
    '~/.wezterm.lua',
  ]),
  ...asking('how a person comes in over ssh', ['~/.ssh/config', '~/.ssh/authorized_keys', '~/.ssh/environment']),
]

function asking(what: string, paths: readonly string[]): ProtectedPlace[] {
  return paths.map(path => ({ path, write: 'ask', what }))
}
