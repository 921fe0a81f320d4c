// Ways in which one command makes another one run. Written down from the manuals of shells and programs, apart from the matcher and its
// tables: what the matcher forgot, this must not have forgotten for the same reason.

export interface Carrier {
  /** What must be trusted to be what its name says. */
  readonly by: string
  /** line: takes any shell text. words: takes one simple command, word by word. plain: takes one whose words no shell has to read. */
  readonly takes: 'line' | 'words' | 'plain'
  /** The inner command is text of another language or of an option: only the plainest is told apart there. */
  readonly isText?: boolean
  /** The command runs in another directory or on another machine: what it does to a file of the project, it does to another one there. */
  readonly isElsewhere?: boolean
  /** Something follows the inner command on its last line: none that ends with a here-document fits. */
  readonly hasTail?: boolean
  /** Whether the result is one simple command again. */
  readonly gives: 'line' | 'words'
  carry(inner: string): string
}

/** In single quotes for the shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

function before(by: string, head: string): Carrier {
  return { by, takes: 'words', gives: 'words', carry: inner => `${head} ${inner}` }
}

/** `HEAD 'text'TAIL`. */
function quoted(by: string, head: string, tail = ''): Carrier {
  return { by, takes: 'line', gives: 'words', isText: true, carry: inner => `${head}${quote(inner)}${tail}` }
}

function around(by: string, head: string, tail = ''): Carrier {
  return { by, takes: 'line', gives: 'line', hasTail: tail !== '', carry: inner => `${head}${inner}${tail}` }
}

/** `PROGRAM OPTION 'code'`, with the command as a text of that language. */
function coded(by: string, head: string, code: (text: string) => string): Carrier {
  return { by, takes: 'line', gives: 'words', isText: true, carry: inner => `${head} ${quote(code(JSON.stringify(inner)))}` }
}

const LAUNCHERS = [
  ...[
    'env',
    'nohup',
    'nice',
    'time',
    'setsid',
    'command',
    'exec',
    'sudo',
    'doas',
    'ionice',
    'busybox env',
    'busybox nice',
    'unshare',
    'caffeinate',
    'unbuffer',
    'pkexec',
  ],
  ...[
    'env -i',
    'env A=1',
    'env -u A',
    'nice -n 5',
    'nice -5',
    'ionice -c 3',
    'timeout 5',
    'timeout -k 1 5s',
    'stdbuf -o0',
    'stdbuf --output=L',
    'time -p',
    'command -p',
  ],
  ...[
    'sudo -u root',
    'sudo -E -n',
    'sudo --',
    'chrt 1',
    'taskset 1',
    'taskset -c 0',
    'chroot /',
    'flock lock',
    'flock -n lock',
    'strace',
    'strace -f -o log',
    'ltrace',
  ],
  ...[
    'xargs',
    'xargs -n 1',
    'xargs -r',
    'watch',
    'watch -n 1',
    'systemd-run',
    'systemd-run --user --scope',
    'setarch x86_64',
    'linux64',
    'setpriv --no-new-privs',
    'prlimit --nofile=99',
  ],
  ...[
    'runuser -u root --',
    'su-exec root',
    'gosu root',
    'dbus-run-session --',
    'xvfb-run',
    'valgrind',
    'perf stat',
    'catchsegv',
    'numactl -N 0',
    'cpulimit -l 5 --',
  ],
  ...[
    'ssh localhost',
    'screen -dm',
    'tmux new-session -d',
    'dtach -n s',
    'entr',
    'nsenter -t 1 -m',
    'firejail',
    'bwrap --bind / /',
    'proot',
    'fakeroot',
    'tini --',
    'dumb-init',
  ],
  ...[
    'pnpm exec',
    'yarn exec',
    'poetry run',
    'pipenv run',
    'uv run',
    'bundle exec',
    'rvm do',
    'direnv exec .',
    'dotenv',
    'mise exec --',
    'asdf exec',
  ],
  ...[
    'git bisect run',
    'cmake -E env',
    'cmake -E time',
    'retry',
    'chronic',
    'eatmydata',
    'torsocks',
    'proxychains',
    'faketime now',
    'start-stop-daemon --start --exec',
  ],
  ...[
    'pixi run',
    'devbox run --',
    'watchexec --',
    'cross-env A=1',
    'dotenvx run --',
    'run0',
    'nsjail --',
    'distrobox enter c --',
    'mpirun -n 1',
    'srun',
    'gtimeout 5',
  ],
]

const SHELLS = [
  'sh -c ',
  'bash -c ',
  'bash -lc ',
  'bash -o errexit -c ',
  'bash --norc -c ',
  'dash -c ',
  'zsh -c ',
  'ksh -c ',
  'busybox sh -c ',
  'fish -c ',
  'eval ',
  'su -c ',
  'su root -c ',
  'runuser -c ',
]

const OPTIONS: readonly (readonly [string, string, string])[] = [
  ['script', 'script -qc ', ' /dev/null'],
  ['flock', 'flock lock -c ', ''],
  ['watch', 'watch ', ''],
  ['parallel', 'parallel ', ' ::: 1'],
  ['trap', 'trap ', ' EXIT'],
  ['find', 'find . -maxdepth 0 -exec sh -c ', ' \\;'],
  ['xargs', 'echo x | xargs -I% sh -c ', ''],
  ['git', "git -c alias.x='!'", ' x'],
  ['git', 'git -c core.sshCommand=', ' fetch'],
  ['git', 'git -c core.pager=', ' log'],
  ['git', 'git -c core.editor=', ' commit'],
  ['git', 'git -c core.fsmonitor=', ' status'],
  ['git', "git -c credential.helper='!'", ' fetch'],
  ['git', 'git submodule foreach ', ''],
  ['git', 'git rebase -x ', ' HEAD~1'],
  ['git', 'git filter-branch --tree-filter ', ' HEAD'],
  ['git', 'GIT_SSH_COMMAND=', ' git fetch'],
  ['git', 'GIT_PAGER=', ' git log'],
  ['git', 'GIT_EDITOR=', ' git commit'],
  ['git', 'PAGER=', ' git log'],
  ['git', 'EDITOR=', ' git commit'],
  ['npm', 'npm exec -c ', ''],
  ['npx', 'npx -c ', ''],
  ['tar', 'tar cf x.tar . --checkpoint=1 --checkpoint-action=exec=', ''],
  ['tar', 'tar xf x.tar --to-command=', ''],
  ['rsync', 'rsync -e ', ' a h:b'],
  ['ssh', 'ssh -o ProxyCommand=', ' host'],
  ['ssh', 'ssh localhost ', ''],
  ['vim', "vim -es -c '!'", ' -c q'],
  ['vim', 'vim -es +!', ' +q'],
  ['man', 'man -P ', ' ls'],
  ['zip', 'zip x.zip x -T -TT ', ''],
  ['socat', 'socat - EXEC:', ''],
  ['tmux', 'tmux new-session -d ', ''],
  ['make', 'make -f /dev/null --eval=x:\\;', ' x'],
  ['split', 'split --filter=', ' x'],
  ['gdb', "gdb -batch -ex '!'", ''],
  ['nix-shell', 'nix-shell --run ', ''],
  ['hyperfine', 'hyperfine ', ''],
  ['docker', 'docker exec c sh -c ', ''],
  ['nodemon', 'nodemon -x ', ''],
  ['bun', 'bun exec ', ''],
  ['sg', 'sg wheel -c ', ''],
  ['fzf', 'fzf --preview ', ''],
  ['git', 'git difftool -x ', ''],
  ['sops', 'sops exec-env x ', ''],
  ['hyperfine', 'hyperfine --prepare ', ' ls'],
  ['crontab', 'echo "* * * * * "', ' | crontab -'],
]

const CODE: readonly (readonly [string, string, (text: string) => string])[] = [
  ['python3', 'python3 -c', text => `import os; os.system(${text})`],
  ['python3', 'python3 -c', text => `import subprocess; subprocess.run(${text}, shell=True)`],
  ['perl', 'perl -e', text => `system(${text.replaceAll('$', '\\$').replaceAll('@', '\\@')})`],
  ['ruby', 'ruby -e', text => `system(${text.replaceAll('#', '\\#')})`],
  ['node', 'node -e', text => `require("child_process").execSync(${text})`],
  ['php', 'php -r', text => `system(${text.replaceAll('$', '\\$')});`],
  ['lua', 'lua -e', text => `os.execute(${text})`],
  ['awk', 'awk', text => `BEGIN { system(${text}) }`],
  ['deno', 'deno eval', text => `new Deno.Command("sh", { args: ["-c", ${text}] }).outputSync()`],
  ['bun', 'bun -e', text => `require("child_process").execSync(${text})`],
  ['osascript', 'osascript -e', text => `do shell script ${text}`],
  ['expect', 'expect -c', text => `exec sh -c ${text}`],
]

const SYNTAX: readonly (readonly [string, string])[] = [
  ['( ', ' )'],
  ['{ ', '; }'],
  ['true && ', ''],
  ['false || ', ''],
  [':; ', ''],
  [':\n', ''],
  ['! { ', '; }'],
  ['if ', '; then :; fi'],
  ['if true; then ', '; fi'],
  ['while ', '; do break; done'],
  ['until false; do ', '; break; done'],
  ['for i in 1; do ', '; done'],
  ['case x in x) ', ' ;; esac'],
  ['f() { ', '; }; f'],
  ['function f { ', '; }; f'],
  ['ls | { ', '; }'],
  ['coproc { ', '; }'],
  ['sleep 1 & ', ''],
  ['echo $( ', ' )'],
  ['x=$( ', ' )'],
  ['cat <( ', ' )'],
  ['echo "$( ', ' )"'],
  ['cd . && ', ''],
  ['select i in 1; do ', '; break; done <<< 1'],
  ['(( 1 )) && ', ''],
  ['[ -n "$( ', ' )" ]'],
]

const LINES: readonly Carrier[] = [
  // Inside backquotes a backslash stands before each backslash and backquote of the inner command.
  { by: 'the shell', takes: 'line', gives: 'line', carry: inner => `echo \`${inner.replaceAll(/[\\`]/g, '\\$&')}\`` },
  { by: 'env', takes: 'plain', gives: 'words', carry: inner => `env -S ${quote(inner)}` },
  { by: 'tar', takes: 'plain', gives: 'words', carry: inner => `tar cf x.tar . -I ${quote(inner)}` },
  { by: 'sh', takes: 'line', gives: 'line', carry: inner => `echo ${quote(inner)} | sh` },
  { by: 'bash', takes: 'line', gives: 'line', carry: inner => `printf %s ${quote(inner)} | bash -s` },
  { by: 'bash', takes: 'line', gives: 'line', carry: inner => `bash <<< ${quote(inner)}` },
  { by: 'sh', takes: 'line', gives: 'line', carry: inner => `sh <<'END'\n${inner}\nEND` },
  { by: 'bash', takes: 'line', gives: 'line', carry: inner => `bash <(echo ${quote(inner)})` },
  { by: 'source', takes: 'line', gives: 'line', carry: inner => `source /dev/stdin <<< ${quote(inner)}` },
  { by: '.', takes: 'line', gives: 'line', carry: inner => `. <(echo ${quote(inner)})` },
  { by: 'eval', takes: 'line', gives: 'line', carry: inner => `x=${quote(inner)}; eval "$x"` },
  { by: 'bash', takes: 'line', gives: 'line', carry: inner => `x=${quote(inner)}; bash -c "$x"` },
  { by: 'sh', takes: 'line', gives: 'line', carry: inner => `echo ${quote(inner)} > s.sh; sh s.sh` },
  { by: 'sh', takes: 'line', gives: 'line', carry: inner => `echo ${quote(inner)} | tee s.sh > /dev/null && bash ./s.sh` },
  { by: 'xargs', takes: 'plain', gives: 'line', carry: inner => `echo ${inner} | xargs env` },
  { by: 'parallel', takes: 'plain', gives: 'words', carry: inner => `parallel ${inner} ::: x` },
  { by: 'parallel', takes: 'plain', gives: 'words', carry: inner => `parallel -j 1 ${inner} ::: x` },
  { by: 'find', takes: 'words', gives: 'words', carry: inner => `find . -maxdepth 0 -exec ${inner} \\;` },
  { by: 'find', takes: 'words', gives: 'words', carry: inner => `find . -maxdepth 0 -execdir ${inner} \\;` },
  { by: 'at', takes: 'line', gives: 'line', carry: inner => `echo ${quote(inner)} | at now` },
  {
    by: 'python3',
    takes: 'line',
    gives: 'line',
    isText: true,
    carry: inner => `echo ${quote(`import os; os.system(${JSON.stringify(inner)})`)} | python3 -`,
  },
]

/** What they start begins in another directory, or on another machine. */
const ELSEWHERE =
  /^(?:chroot|nsenter|ssh|docker|distrobox|nsjail|start-stop-daemon|systemd-run(?! --user --scope)|git submodule|git filter-branch|echo "\*)/

/** Only a shell knows these: no other program can start them. Variables stand before a command in a shell alone, too. */
const OF_SHELL = /^(?:eval|trap|exec|command|[A-Z_]+=)/
/** They put the words together again for a shell: quotes are lost. */
const JOINS = /^(?:watch|ssh localhost)/

function placed(carrier: Carrier, head: string): Carrier {
  return {
    ...carrier,
    ...(ELSEWHERE.test(head) ? { isElsewhere: true } : {}),
    ...(OF_SHELL.test(head) ? { gives: 'line' } : {}),
    ...(JOINS.test(head) && carrier.takes === 'words' ? { takes: 'plain' } : {}),
  }
}

/** What stands before the command that a launcher starts. */
export const LAUNCHER_HEADS: ReadonlySet<string> = new Set(LAUNCHERS)

/** Programs that run what they are given, as a whole: launchers, shells, interpreters. */
export const RUNNERS: ReadonlySet<string> = new Set(
  [...LAUNCHERS, ...SHELLS, ...CODE.map(([by]) => by)].map(head => head.split(' ')[0] ?? head),
)

export const CARRIERS: readonly Carrier[] = [
  ...LAUNCHERS.map(head => placed(before(head.split(' ')[0] ?? head, head), head)),
  ...SHELLS.map(head => placed({ ...quoted(head.split(' ')[0] ?? head, head), isText: false }, head)),
  ...OPTIONS.map(([by, head, tail]) => placed(quoted(by, head, tail), head)),
  ...CODE.map(([by, head, code]) => coded(by, head, code)),
  ...SYNTAX.map(([head, tail]) => around('the shell', head, tail)),
  ...LINES,
]
