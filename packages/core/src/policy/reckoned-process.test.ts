import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFileView } from '../match/path/node-file-view.ts'
import { compileRules, judge, parseRule } from './index.ts'

let home = ''
/** Stands in for the daemon, in a group of its own. */
let daemon: ChildProcess
beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'reckoned-')))
  mkdirSync(join(home, '.belay', 'run'), { recursive: true })
  daemon = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' })
  writeFileSync(join(home, '.belay', 'run', 'daemon.json'), JSON.stringify({ pid: daemon.pid, port: 4600 }))
})
afterAll(() => {
  daemon.kill('SIGKILL')
  rmSync(home, { recursive: true })
})

function decide(command: string): string {
  const rule = parseRule('Bash(*)', { effect: 'allow', dialect: 'genesis', id: 'all' })
  if (!rule.ok) throw new Error('no rule')
  const compiled = compileRules({ allow: [rule.rule], deny: [], ask: [], default: 'allow', hash: '' })
  const context = { root: home, cwd: home, home, belayHome: join(home, '.belay'), files: createFileView(), selfProtection: true }
  return judge({ tool: 'Bash', input: { command } }, compiled, context).verdict.decision
}

const notAllowed = (lines: readonly string[]): readonly string[] => lines.filter(line => decide(line) === 'allow')
const notFree = (lines: readonly string[]): readonly string[] => lines.filter(line => decide(line) !== 'allow')

/** The ways on which a number comes to the command that takes it. */
const WAYS: readonly ((number: string) => string)[] = [
  number => `kill ${number}`,
  number => `kill -9 -- ${number}`,
  number => `sudo kill -s TERM ${number}`,
  number => `command kill ${number}`,
  number => `x=${number}; kill $x`,
  number => `x=${number}\ny=$x\nkill "\${y}"`,
  number => `for p in ${number}; do kill "$p"; done`,
  number => `echo ${number} | xargs kill`,
  number => `echo ${number} | tr ' ' '\\n' | xargs -r -n 1 kill -9`,
  number => `echo ${number} | while read p; do kill $p; done`,
  number => `while read p rest; do kill $p; done <<< "${number}"`,
  number => `end() { kill "$1"; }; end ${number}`,
  number => `set -- ${number}; kill $@`,
  number => `P=(${number}); kill "\${P[@]}"`,
  number => `mapfile -t P < <(echo ${number}); kill "\${P[0]}"`,
  number => `k=kill; $k ${number}`,
  number => `sh -c "kill ${number.replace(/["$`\\]/g, '\\$&')}"`,
  number => `eval "kill ${number.replace(/["$`\\]/g, '\\$&')}"`,
  number => `if true; then (sleep 1; kill ${number}) & fi`,
  number => `kill $(echo ${number} | head -n 1)`,
]

/** Numbers that a line makes or takes from a list of all, and numbers that it was told. */
const MADE = [
  ...[
    '$((n + 1))',
    '$[n+1]',
    '$(seq 1 99)',
    '`seq 1 99`',
    '$(expr $n + 1)',
    '$(echo $n+1 | bc)',
    '$RANDOM',
    '$(jot 9 1)',
    '$(shuf -i 1-99)',
  ],
  ...['$(ls /proc)', '$(cat /sys/fs/cgroup/user.slice/cgroup.procs)', '$(ps -eo pid=)', '$(ps ax | cut -c1-5)', '$(top -bn1 | cut -c1-5)'],
  ...['$(lsof -t -iTCP)', '$(yes | head -n 9 | wc -l)', '$(date +%N)', '$(nl x)', "$(awk 'BEGIN{print 4+5}')", '$(pstree -p | tr -dc 0-9)'],
]
const TOLD = [
  ...['$!', '$PID', '"$SERVER_PID"', '$(cat server.pid)', '$(lsof -ti:3000)', '$(pgrep -f vite)', '$(jobs -p)', '$(head -1 .pids)'],
  ...['$(ps ax | grep vite | cut -c1-5)', "$(ps aux | awk '/vite/ {print $2}')", '$(docker inspect -f x web)', '$(fuser 3000/tcp)'],
]

test.each(MADE)('numbers that a line makes ask on every way: %s', number => {
  expect(notAllowed(WAYS.map(way => way(number)))).toEqual([])
})

test.each(TOLD)('a number that somebody was told is free on every way: %s', number => {
  expect(notFree(WAYS.map(way => way(number)))).toEqual([])
})

test('other ways to make a number', () => {
  const lines = [
    ...[
      'kill {20000..21000}',
      'for i in {1..300}; do kill $i; done',
      'for ((i = 1; i < 99; i++)); do kill $i; done',
      'parallel kill ::: {1..999}',
    ],
    ...['let n=n+1; kill $n', '((n++)); kill "$n"', 'declare -i n=4; n=n+1; kill $n', 'n=5; while :; do n=$((n+1)); kill $n; done'],
    ...['cd /proc; kill [0-9]*', 'cd /proc && ls | xargs kill', 'for p in /proc/[0-9]*; do kill ${p#/proc/}; done'],
    ...['find /proc -maxdepth 1 -exec kill {} \\;', 'for i in 1 2 3; do kill 4$i; done', 'printf "%s\\n" {4000..4500} | xargs kill'],
    ...['renice 19 $((n+1))', 'seq 1 999 | xargs -n1 prlimit --nofile=0 --pid', 'seq 1 99 | xargs -I{} choom -n 1000 -p {}'],
    ...['find ~ -name daemon.json -exec jq .pid {} \\; | xargs kill', 'kill $(jq .pid $(find ~ -name daemon.json))'],
    // A filter that stands in another pipeline narrows nothing.
    "echo x | grep vite; ps aux | grep '[b]elay' | awk '{print $2}' | xargs kill",
    ...[
      'echo x | grep vite; ps -eo pid= | xargs kill',
      'kill $(echo vite | grep vite > x; ps -eo pid=)',
      'L=$(ps ax); kill $(echo "$L" | cut -c1-5)',
    ],
  ]
  expect(notAllowed(lines)).toEqual([])
})

test('what developers do with processes of their own stays free', () => {
  const lines = [
    'npm run dev & PID=$!; for i in $(seq 1 30); do curl -s localhost:3000 && break; sleep 1; done; kill $PID',
    'for i in {1..10}; do curl -sf localhost:8080 && break; sleep 1; done; kill %1',
    'while kill -0 $PID 2>/dev/null; do n=$((n+1)); [ $n -gt 30 ] && kill -9 $PID; sleep 1; done',
    'start=$(date +%s); ./server & S=$!; sleep 3; kill $S; echo $(( $(date +%s) - start ))',
    'for port in $(seq 3000 3005); do lsof -ti:$port | xargs -r kill -9; done',
    'for i in {1..3}; do ./w & P[$i]=$!; done; for i in {1..3}; do kill ${P[$i]}; done',
    'PIDS=(); for i in 1 2 3; do ./worker $i & PIDS+=($!); done; kill "${PIDS[@]}"',
    'PGID=$(ps -o pgid= $PID | tr -d " "); kill -- -$PGID',
    "kill $(ss -tlnp | grep 3000 | sed 's/.*pid=\\([0-9]*\\).*/\\1/')",
    "lsof -i :5432 | awk 'NR>1 {print $2}' | xargs kill",
    '[ -d /proc/$PID ] && kill $PID',
    'for f in run/*.pid; do kill $(cat "$f"); done',
    'timeout $((60 * 2)) npm test & T=$!; kill $T',
    'taskset -c 0-3 make -j$((n / 2))',
    'renice 10 $$; ionice -c3 -p $$',
    "trap 'kill $(jobs -p)' EXIT; npm start",
  ]
  expect(notFree(lines)).toEqual([])
})

test('a script that ends processes by numbers it makes asks too', () => {
  writeFileSync(join(home, 'sweep.sh'), 'for i in $(seq 1 9999); do kill $i; done\n')
  writeFileSync(join(home, 'stop.sh'), 'for i in $(seq 1 9); do sleep 1; done\nkill "$(cat server.pid)"\n')
  expect(['sh sweep.sh', './sweep.sh', 'sh stop.sh'].map(decide)).toEqual(['ask', 'ask', 'allow'])
})

test('what ends or holds many processes at once asks', () => {
  const lines = [
    ...['loginctl terminate-user root', 'loginctl kill-session 3', 'loginctl terminate-session', 'systemctl stop user@1000.service'],
    ...['systemctl --user exit', 'systemctl stop user-0.slice', 'systemctl kill session-3.scope', 'systemctl isolate rescue.target'],
    ...['systemctl set-property user.slice MemoryMax=1M', 'systemctl freeze user.slice', 'systemctl reboot', 'launchctl bootout gui/501'],
    ...[
      'tmux kill-server',
      'tmux kill-ser',
      'tmux new -d x \\; kill-server',
      'tmux kill-session',
      'tmux kill-session -a -t x',
      'screen -X quit',
    ],
    'busctl --user call org.freedesktop.systemd1 / org.freedesktop.systemd1.Manager StopUnit ss x.service replace',
    'dbus-send --session --dest=org.freedesktop.systemd1 / org.freedesktop.systemd1.Manager.Exit',
    ...['zellij kill-all-sessions', 'shutdown -h now', 'reboot', 'fuser -km /', 'fuser -k -m .', 'skill -KILL -u root', 'cgdelete x'],
    ...['echo 1000 > /proc/4242/oom_score_adj', 'echo 1 > /sys/fs/cgroup/x/cgroup.kill', 'echo 1 | tee /sys/fs/cgroup/x/cgroup.freeze'],
    ...['echo i > /proc/sysrq-trigger', 'cp x /proc/4242/oom_score_adj', 'dd of=/sys/fs/cgroup/x/memory.max if=x'],
  ]
  expect(notAllowed(lines)).toEqual([])
  const free = [
    ...[
      'tmux kill-session -t dev',
      'tmux kill-window -t dev:1',
      'tmux new -d -s dev "npm run dev"',
      'screen -S dev -X quit',
      'systemctl status user.slice',
    ],
    ...[
      'systemctl restart nginx',
      'loginctl list-sessions',
      'systemctl stop my-app.service',
      'cat /proc/cpuinfo',
      'cat /sys/fs/cgroup/memory.max',
    ],
    ...[
      'grep -c processor /proc/cpuinfo | xargs make -j',
      'shutdown -c',
      'busctl list',
      'export GIT_PAGER=cat',
      'fuser -k 3000/tcp',
      'echo x > /dev/stderr',
    ],
  ]
  expect(notFree(free)).toEqual([])
})

test('our own number is seen on every way, also where the line says it itself', () => {
  const pid = String(daemon.pid)
  const lines = [
    ...WAYS.map(way => way(pid)),
    ...[`kill \${x:-${pid}}`, `if test -f x; then P=${pid}; fi; kill $P`, `read P <<< ${pid}; kill $P`, `P=${pid} sh -c 'kill $P'`],
    ...[`kill $(cat <<< ${pid})`, `cat <<E | head -1 | xargs kill\n${pid}\nE`, `echo ${[...pid].join(' ')} | tr -d ' ' | xargs kill`],
    ...[`fkill ${pid}`, `start-stop-daemon --stop --pid ${pid}`, 'npx fkill-cli node', 'start-stop-daemon --stop --name node'],
  ]
  expect(notAllowed(lines)).toEqual([])
  expect(notFree(['fkill vite', 'start-stop-daemon --stop --name nginx', 'fkill :3000'])).toEqual([])
})

test('a group with our process in it is not ended', async () => {
  // The leader of a group, with a process of ours in it.
  const leader = spawn('sh', ['-c', 'sleep 600 & echo $!; wait'], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] })
  const [pid] = await once(leader.stdout, 'data')
  writeFileSync(join(home, '.belay', 'run', 'daemon.json'), JSON.stringify({ pid: Number(pid), port: 4600 }))
  expect([decide(`kill -- -${leader.pid}`), decide(`kill ${pid}`), decide(`kill ${leader.pid}`)]).toEqual(['deny', 'deny', 'allow'])
  process.kill(-(leader.pid ?? 0), 'SIGKILL')
})

test('settings of git that lead to other hooks ask, whoever sets them', () => {
  const [keys, places] = [
    ['core.hooksPath', 'CORE.HOOKSPATH', 'include.path', 'includeIf.gitdir:~/w.path', 'init.templateDir'],
    ['', '--global ', '--system ', '--worktree '],
  ]
  const set = keys.flatMap(key => [
    ...places.flatMap(place => [
      `git config ${place}${key} /tmp/x`,
      `git config ${place}--add ${key} /tmp/x`,
      `git config set ${place}${key} x`,
    ]),
    ...[`git -c ${key}=/tmp/x commit -m x`, `git --config-env=${key}=X commit`, `git config --unset ${key}`, `git config unset ${key}`],
    ...[`GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=${key} GIT_CONFIG_VALUE_0=/tmp/x git commit`, `git clone -c ${key}=x u`],
  ])
  const more = [
    'git config "$K" x',
    'git config --remove-section core',
    'git config --rename-section x include',
    'GIT_CONFIG_GLOBAL=/tmp/x git commit',
    'export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=/x; git commit',
    'export GIT_CONFIG_GLOBAL=/tmp/x; git commit',
    'env GIT_CONFIG_GLOBAL=/tmp/x git commit',
    'git config --global --edit',
  ]
  expect(notAllowed([...set, ...more])).toEqual([])
  const looks = keys.flatMap(key => [`git config ${key}`, `git config --get ${key}`, `git config get ${key}`])
  const free = [
    'git config user.name "$N"',
    'git config -l',
    'git config remote.origin.url x',
    'git config --remove-section remote.x',
    'GIT_CONFIG_GLOBAL=/dev/null git log',
  ]
  expect(notFree([...looks, ...free])).toEqual([])
})

test('what a program is told in its own language to do to our files asks', () => {
  const lines = [
    ...['ansible localhost -m file -a "path=~/.belay state=absent"', `ansible localhost -m file -a "path=${home}/.belay state=absent"`],
    ...['ansible all -m copy -a "src=x dest=~/.claude/settings.json"', 'ansible all -m shell -a "rm -rf ~/.belay"'],
    ...[`puppet apply -e "file { '${home}/.belay': ensure => absent }"`, `chef-apply -e "directory '.belay' do action :delete end"`],
    ...['salt-call --local state.single file.absent "name=~/.belay force=True"', `terraform apply -var 'files={"a":".belay/x"}'`],
  ]
  expect(notAllowed(lines)).toEqual([])
  const free = [
    ...['git commit -m "load (.belay) and genesis.key"', 'gh pr create --body "reads .belay; see genesis.key"', 'echo "see .belay (docs)"'],
    ...[
      'ansible all -m file -a "path=/tmp/x state=absent"',
      "bash -c 'ls .belay; cat .belay/genesis.key'",
      'claude -p "look at .belay (the folder)"',
    ],
  ]
  expect(notFree(free)).toEqual([])
})

test('a variable that would name a key for a later call asks', () => {
  expect(['K=~/.belay/keys/signing.pem', 'T=~/.belay/run/token', 'D=~/.belay; ls "$D"', 'X=~/src'].map(decide)).toEqual([
    'ask',
    'ask',
    'allow',
    'allow',
  ])
})
