// The process of an agent: whoever opens its debugger, takes its descriptors away or looks into it has it make calls that no hook hears of.
// The number is known to every command (`$PPID`), stands beside its name in a list, or is said.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AGENT_PROGRAMS } from '../match/path/agent-program.ts'
import { setupGuardedHome } from './fixtures/guarded-home.ts'

const { home, allowed, stopped, remove } = setupGuardedHome('agent-process')
let agent: ChildProcess
let script: ChildProcess
let other: ChildProcess
beforeAll(() => {
  const wait = 'setTimeout(() => {}, 60000)'
  const file = join(home, 'node_modules', '@google', 'gemini-cli', 'index.js')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, wait)
  agent = spawn('sleep', ['60'], { argv0: 'claude', stdio: 'ignore' })
  script = spawn(process.execPath, [file], { stdio: 'ignore' })
  other = spawn(process.execPath, ['-e', wait, 'vite'], { stdio: 'ignore' })
})
afterAll(() => {
  for (const child of [agent, script, other]) child.kill('SIGKILL')
  remove()
})

/** N is the number of a process. */
const HARMS = [
  ...['kill N', 'kill -USR1 N', 'kill -s SIGUSR1 N', 'kill -STOP N', 'kill -9 -- -N', 'sudo kill N', 'busybox kill N', 'timeout 5 kill N'],
  ...['prlimit --pid N --nofile=9', 'prlimit -p N --nproc=1', 'renice 19 N', 'ionice -c 3 -p N', 'taskset -p 1 N', 'chrt -b -p 0 N'],
  ...['choom -n 1000 -p N', 'sh -c "kill N"', 'trap "kill -USR1 N" EXIT', 'echo "kill N" | sh', 'eval kill N', 'sh <<< "kill N"'],
]
const LOOKS = ['strace -p N', 'gdb -p N', 'gcore N', 'gdbserver :1 --attach N', 'nsenter -t N -m sh']

const PARENTS = ['$PPID', '"$PPID"', '${PPID}', '$(ps -o ppid= -p $$)', "$(awk '/PPid/ {print $2}' /proc/$$/status)", '`ps -o ppid= $$`']

test.each(PARENTS)('the parent of the command: %s', parent => {
  expect(allowed(HARMS.filter(line => !line.includes('"')).map(line => line.replace('N', () => parent)))).toEqual([])
})

test('on other ways', () => {
  const quoted = HARMS.map(line => line.replace('N', () => '$PPID'))
  const ways = [
    ...['P=$PPID; kill -USR1 $P', 'x=PPID; kill ${!x}', 'echo $PPID | xargs kill', 'xargs -a <(echo $PPID) kill', 'eval kill \\$PPID'],
    ...['kill -USR1 0', 'kill -s SIGUSR1 0', 'kill -n 10 -- 0', 'echo x > /proc/$PPID/fd/0', 'dd if=x of=/proc/$PPID/mem'],
  ]
  expect(allowed([...quoted, ...LOOKS.map(line => line.replace('N', () => '$PPID')), ...ways])).toEqual([])
})

test('by its number', () => {
  const lines = [agent, script].flatMap(({ pid }) => [...HARMS, ...LOOKS].map(line => line.replace('N', String(pid))))
  expect(allowed(lines)).toEqual([])
  expect(stopped(HARMS.map(line => line.replace('N', String(other.pid))))).toEqual([])
})

test.each(AGENT_PROGRAMS)('by its name: %s', name => {
  const ends = [`pkill ${name}`, `pkill -USR1 -f ${name}`, `killall ${name}`, `skill ${name}`, `fkill ${name}`]
  const found = [
    `kill $(pgrep -f ${name})`,
    `pidof ${name} | xargs kill -USR1`,
    `ps ax | grep ${name} | cut -c1-5 | xargs kill`,
    `ps ax | grep '[${name[0]}]${name.slice(1)}' | xargs kill`,
    `kill $(ps -C ${name} -o pid=)`,
  ]
  expect(allowed([...ends, ...found])).toEqual([])
  expect(stopped([`pgrep ${name}`, `ps ax | grep ${name}`, `which ${name}`])).toEqual([])
})

const AS_LINES = [
  'claude.*cli',
  'node .*cli',
  'anthropic',
  'claude-code/cli',
  'gemini-cli.*bundle',
  'qwen.*cli',
  'codex.*bin',
  'opencode.*-p',
]
test.each(AS_LINES)('by a pattern of its command line: %s', pattern => {
  const found = [`pkill -f '${pattern}'`, `kill $(pgrep -f '${pattern}')`, `pgrep -f '${pattern}' | xargs kill -USR1`]
  const loops = [`for p in $(pgrep -f '${pattern}'); do kill $p; done`, `while read p; do kill $p; done < <(pgrep -f '${pattern}')`]
  const listed = [`ps ax | awk '/${pattern.replaceAll('/', '.')}/ {print $1}' | xargs kill`, `P=$(pgrep -f '${pattern}'); kill $P`]
  expect(allowed([...found, ...loops, ...listed])).toEqual([])
  expect(stopped([`pgrep -f '${pattern}'`, `ps ax | grep '${pattern}'`])).toEqual([])
})

test('code of another language that signals its parent', () => {
  const lines = [
    ...["python3 -c 'import os; os.kill(os.getppid(), 10)'", "perl -e 'kill USR1 => getppid'", "ruby -e 'Process.kill(9, Process.ppid)'"],
    ...['node -e \'process.kill(process.ppid, "SIGUSR1")\'', "php -r 'posix_kill(posix_getppid(), 10);'"],
    ...["python3 <<'X'\nimport os\nos.kill(os.getppid(), 10)\nX", 'declare -n p=PPID; kill -USR1 $p'],
  ]
  expect(allowed(lines)).toEqual([])
})

test('what commands do with processes of their own, or only ask about', () => {
  const free = [
    ...['kill $!', 'kill $$', 'kill %1', 'kill 0', 'kill -TERM 0', "trap 'kill 0' EXIT", 'kill $(jobs -p)', 'pkill -P $$'],
    ...['kill -0 $PPID', 'while kill -0 $PPID; do sleep 1; done', 'echo $PPID', 'ps -o ppid= -p $$', 'tail --pid=$PPID -f x'],
    ...['kill $(ps -o pid= --ppid $$)', 'ps -o pid= --ppid $! | xargs kill', 'taskset -p 1 $$', 'renice 10 $$', 'prlimit --nofile=99 make'],
    ...['kill -USR1 $(cat nginx.pid)', 'pkill -f vite', 'pkill -f api-server', 'killall python3', 'git commit -m "kill $PPID"'],
    ...["pkill -f 'next dev'", 'pkill -f dist/index.js', "kill $(pgrep -f 'server.js')", 'kill $(pgrep -P $$)', 'kill $(pgrep -f vite)'],
    ...['echo "kill $PID" | sh', 'echo "kill $(cat x.pid)" | sh', 'echo "run kill $PPID"'],
  ]
  expect(stopped(free)).toEqual([])
})
