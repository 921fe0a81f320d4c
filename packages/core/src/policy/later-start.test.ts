// What would run later without an agent above it, in a person's terminal or by the system, and what agents start by themselves: asked about.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { setupGuardedHome } from './fixtures/guarded-home.ts'

const { allowed, stopped, home, remove } = setupGuardedHome('later-start')
afterAll(remove)
mkdirSync(join(home, '.local', 'bin'), { recursive: true })
writeFileSync(join(home, '.local', 'bin', 'x'), '')

const PLACES = [
  ...['~/.local/bin/belay', '~/bin/mentu', 'node_modules/.bin/belay', '~/.tmux.conf', '~/.config/tmux/tmux.conf', '~/.screenrc'],
  ...['~/.bash_completion', '~/.local/share/bash-completion/completions/git', '~/.config/starship.toml', '~/.config/kitty/kitty.conf'],
  ...['~/.ssh/config', '~/.ssh/authorized_keys'],
  ...['~/.local/share/systemd/user/x.service', '~/.local/share/dbus-1/services/x.service', '~/.config/systemd/user/x.service', '~/.bashrc'],
]
const WRITES = [
  'echo x > P',
  'cat k >> P',
  'cp x P',
  'ln -sf x P',
  'tee P < x',
  'curl -o P http://x',
  'install -m755 x P',
  'sed -i s/a/b/ P',
]

// A copy of a program by the name of one of ours is seen by its name; what a link or a copy is made of is not.
describe.each(PLACES)('%s', place => {
  test.each(WRITES)('%s', write => {
    const spellings = [place, place.replace('~', '$HOME'), place.replace('~', '"$HOME"'), place.replace('~', home)]
    expect(allowed(spellings.map(spelling => write.replaceAll('P', () => spelling)))).toEqual([])
  })
})

describe('programs that have something started later', () => {
  const LINES = [
    ...[
      'crontab x',
      'echo "@reboot x" | crontab -',
      'crontab -e',
      'crontab -r',
      'ssh-copy-id h',
      'chsh -s /tmp/x',
      'usermod -s /tmp/x dev',
    ],
    ...[
      'systemctl --user enable ./x.service',
      'systemctl --user enable --now x',
      'systemctl enable /tmp/x.service',
      'systemctl --user link x',
    ],
    ...['systemctl --user set-environment PATH=/tmp/x', 'systemctl --user import-environment', 'dbus-update-activation-environment PATH=x'],
    ...['loginctl enable-linger', 'launchctl load x.plist', 'launchctl setenv PATH x', 'xdg-mime default x.desktop text/html'],
    ...['xdg-settings set default-web-browser x.desktop', 'gsettings set org.x custom-keybindings "[x]"'],
  ]
  const PREFIXES = ['', 'sudo ', 'env ', 'nice ', 'timeout 5 ', 'cd src && ', "sh -c '", 'foo=1 ']
  test.each(PREFIXES)('%s', prefix => {
    const end = prefix.endsWith("'") ? "'" : ''
    const lines = LINES.filter(line => end === '' || !/['"|]/.test(line))
    expect(allowed(lines.map(line => `${prefix}${line}${end}`))).toEqual([])
  })

  test('looking, and services of the system, are left alone', () => {
    const free = [
      ...['crontab -l', 'systemctl --user status x', 'systemctl --user list-units', 'systemctl cat x', 'loginctl show-user dev'],
      ...[
        'xdg-mime query default text/html',
        'gsettings get org.x y',
        'usermod -aG docker dev',
        'launchctl list',
        'systemctl enable nginx',
      ],
    ]
    expect(stopped(free)).toEqual([])
  })
})

describe('git starts it in a person’s terminal too', () => {
  const KEYS = [
    ...['core.fsmonitor', 'core.pager', 'core.editor', 'core.sshCommand', 'sequence.editor', 'alias.st', 'pager.log', 'credential.helper'],
    ...[
      'credential.https://x.helper',
      'diff.external',
      'diff.x.textconv',
      'filter.x.clean',
      'merge.x.driver',
      'difftool.x.cmd',
      'gpg.program',
    ],
    ...['interactive.diffFilter', 'submodule.x.update', 'remote.origin.uploadpack', 'CORE.FSMONITOR'],
  ]
  const VALUES = ['./x.sh', '/tmp/x', '~/x', "'!sh x.sh'", "'sh x.sh'", "'x; y'", '"$V"', "'a=1 node x.js'", "'!./x'", '"x $(y)"']
  const FORMS = ['git config K V', 'git config --global K V', 'git config set K V', 'git config --add K V', 'git -C src config --local K V']
  test.each(FORMS)('%s', form => {
    expect(allowed(KEYS.flatMap(key => VALUES.map(value => form.replace('K', key).replace('V', () => value))))).toEqual([])
  })

  test('names of programs, other settings and looks are left alone', () => {
    const free = [
      ...[
        'git config --get core.editor',
        'git config core.editor',
        'git config --unset core.editor',
        'git config user.name x',
        'git config -l',
      ],
      ...[
        'git config pull.rebase true',
        'git config core.autocrlf false',
        'git config merge.tool vimdiff',
        'git config remote.origin.url /tmp/x',
      ],
    ]
    expect(stopped(free)).toEqual([])
  })
})

describe('what an agent starts by itself', () => {
  const LINES = [
    ...[
      'claude -p x --mcp-config y.json',
      `claude -p x --mcp-config='{"mcpServers":{}}'`,
      'claude --plugin-dir ./y -p x',
      'claude mcp serve',
    ],
    ...[
      `claude --agents '{}' -p x`,
      'npx @anthropic-ai/claude-code --mcp-config x',
      'codex -c mcp_servers.x.command=y exec z',
      'codex app-server',
    ],
    ...[
      `codex exec -c 'notify=["x"]' y`,
      'codex mcp-server',
      'codex sandbox linux -- x',
      'opencode serve',
      'opencode web --port 1',
      'kilo serve',
    ],
    ...['gemini --experimental-acp', 'qwen --acp', 'copilot --additional-mcp-config @x -p y', 'claude remote-control'],
  ]
  test.each(LINES)('%s', line => {
    expect(allowed([line, `nice ${line}`, `cd src && ${line} < x`])).toEqual([])
  })

  test('a plain start is left alone', () => {
    expect(stopped(['claude -p "serve the page"', 'codex exec "debug web"', 'gemini -p "acp"', 'opencode run "serve it"'])).toEqual([])
  })
})

describe('the environment of other processes', () => {
  const LINES = [
    ...['ps eww', 'ps e', 'ps auxe', 'ps axeww -p 1', 'ps -E', 'ps eo pid', 'cat /proc/*/environ', 'grep -az X /proc/[0-9]*/environ'],
    ...[
      'cat /proc/$P/environ',
      'for p in 1 2; do cat /proc/$p/environ; done',
      'strings /proc/1/environ',
      'xargs -0 -a /proc/$(pgrep x)/environ',
    ],
  ]
  test.each(LINES)('%s', line => {
    expect(allowed([line, `${line} | grep SECRET`, `sudo ${line}`])).toEqual([])
  })

  test('other looks are left alone', () => {
    const free = [
      ...[
        'ps',
        'ps aux',
        'ps -ef',
        'ps -e',
        'ps -eo pid,args',
        'ps -C node',
        'ps -u dev',
        'ps -o etime= -p 1',
        'ps --help',
        'ps ax | grep e',
        'ps axo user,etime',
        'ps axo user',
        'ps -o user -p 1',
      ],
      ...['echo /proc/1/environ', 'git commit -m "read /proc/self/environ"', 'env', 'printenv PATH', 'grep -rn environ src'],
    ]
    expect(stopped(free)).toEqual([])
  })
})

describe('what another program of the desktop starts', () => {
  const STARTS = [
    ...[
      'gnome-terminal -- C',
      'gnome-terminal -e C',
      'xfce4-terminal -x C',
      'mate-terminal -- C',
      'konsole -e C',
      'terminator -x C',
      'wt.exe C',
    ],
    ...[
      'x-terminal-emulator -e C',
      'kgx -e C',
      'ptyxis -- C',
      'footclient C',
      'urxvtc -e C',
      'kitty @ launch C',
      'kitty -1 C',
      'tilix -e C',
    ],
    ...['wezterm cli spawn C', 'wezterm cli send-text C', 'alacritty msg create-window -e C', 'open -a Terminal C', 'open -na iTerm.app C'],
    ...[
      'open C.command',
      'open "C.app"',
      'xdg-open C.desktop',
      'gio launch C.desktop',
      'gio open C.desktop',
      'gtk-launch C',
      'dex C.desktop',
    ],
    ...[
      'exo-open --launch TerminalEmulator C',
      'kioclient exec C',
      'kde-open5 C.desktop',
      'kstart5 C',
      'swaymsg exec C',
      'i3-msg "exec C"',
    ],
    ...[
      'hyprctl dispatch exec C',
      'emacsclient --eval \'(shell-command "C")\'',
      "nvim --server s --remote-send ':!C<CR>'",
      'kitten @ launch C',
    ],
    ...['osascript -e \'tell app "Terminal" to do script "C"\'', 'qdbus org.kde.konsole /Sessions/1 runCommand C'],
    ...[
      'gdbus call --session --dest org.gnome.Terminal --object-path /x C',
      'busctl --user call org.freedesktop.Flatpak.Development / x C',
      'busctl --user call org.freedesktop.systemd1 /x org.freedesktop.systemd1.Manager StartTransientUnit C',
      'gdbus call --session --dest org.freedesktop.systemd1 --object-path /x --method x.Manager.StartTransientUnit C',
      'busctl --user call org.gnome.Shell /org/gnome/Shell org.gnome.Shell Eval s C',
    ],
  ]
  test.each(STARTS)('%s', start => {
    const line = (command: string): string => start.replace('C', () => command)
    expect(allowed([line('./go'), `sudo ${line('go')}`, `cd src && ${line('./go')}`])).toEqual([])
  })

  test('what only shows something is left alone', () => {
    const free = [
      ...[
        'xdg-open README.md',
        'xdg-open https://x.com',
        'xdg-open coverage/index.html',
        'open .',
        'open dist/x.png',
        'open https://x.com/x.sh',
      ],
      ...[
        'open -a "Google Chrome" https://x.com',
        'open -a Preview x.pdf',
        'gio open x.html',
        'gio info x',
        'gio mime text/html',
        'xterm -e top',
      ],
      ...[
        'osascript -e \'display notification "x"\'',
        'emacsclient -n x',
        'kitty @ ls',
        'gnome-terminal --version',
        'busctl list',
        'vim x',
      ],
      ...['hyprctl clients', 'swaymsg -t get_tree', 'wezterm --version', 'gdbus introspect --session --dest org.freedesktop.DBus -o /'],
    ]
    expect(stopped(free)).toEqual([])
  })
})
