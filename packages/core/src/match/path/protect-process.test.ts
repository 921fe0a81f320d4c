import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compileRules, judge, parseRule } from '../../policy/index.ts'
import { createFileView } from './node-file-view.ts'

const home = realpathSync(mkdtempSync(join(tmpdir(), 'protect-process-')))
const belayHome = join(home, '.belay')
const wait = ['-e', 'setTimeout(() => {}, 60000)']
// Processes with such a command line stand in for the daemon, for a launcher of ours, and for somebody else's.
const daemon = spawn(process.execPath, [...wait, join(home, 'daemon-of-the-state')], { stdio: 'ignore' })
const launcher = spawn(process.execPath, [...wait, '/usr/bin/belay', 'run'], { stdio: 'ignore' })
const other = spawn(process.execPath, [...wait, 'vite'], { stdio: 'ignore' })

beforeAll(() => {
  mkdirSync(join(belayHome, 'run'), { recursive: true })
  writeFileSync(join(belayHome, 'run', 'daemon.json'), JSON.stringify({ pid: daemon.pid, port: 4600 }))
})
afterAll(() => {
  for (const child of [daemon, launcher, other]) child.kill('SIGKILL')
  rmSync(home, { recursive: true })
})

function decide(command: string): string {
  const rule = parseRule('Bash(*)', { effect: 'allow', dialect: 'genesis', id: 'all' })
  if (!rule.ok) throw new Error('no rule')
  const compiled = compileRules({ allow: [rule.rule], deny: [], ask: [], default: 'allow', hash: '' })
  const context = { root: home, cwd: home, home, belayHome, files: createFileView(), selfProtection: true }
  return judge({ tool: 'Bash', input: { command } }, compiled, context).verdict.decision
}

test('a process of ours is not ended', () => {
  const ours = [
    ...[
      `kill ${daemon.pid}`,
      `kill -9 ${daemon.pid}`,
      `kill -s TERM ${daemon.pid}`,
      `kill -- -${daemon.pid}`,
      `env kill -STOP ${daemon.pid}`,
    ],
    ...[`kill ${launcher.pid}`, 'pkill -f belay', 'killall belayd', 'systemctl --user stop belay', `sh -c 'kill ${daemon.pid}'`],
  ]
  expect(ours.map(command => [command, decide(command)])).toEqual(ours.map(command => [command, 'deny']))
})

test('nobody attaches to a process of ours', () => {
  const ours = [
    ...[`node inspect -p ${daemon.pid}`, `nodejs inspect -p ${daemon.pid} < c.txt`, `npx node-inspect -p ${daemon.pid}`],
    ...[`gcore ${daemon.pid}`, `gdb -p ${daemon.pid}`, `gdb --pid=${daemon.pid}`, `strace -fp${daemon.pid}`, `strace -p 1,${daemon.pid}`],
    ...[`perf record -p ${launcher.pid}`, `nsenter -t ${daemon.pid} -m sh`, `env strace -p ${daemon.pid}`],
  ]
  expect(ours.map(command => [command, decide(command)])).toEqual(ours.map(command => [command, 'deny']))
  const held = [
    `renice 19 ${daemon.pid}`,
    `prlimit --pid=${daemon.pid} --nofile=0`,
    `cpulimit -p ${daemon.pid} -l 1`,
    `taskset -p 0 ${daemon.pid}`,
  ]
  expect(held.map(decide)).toEqual(held.map(() => 'ask'))
  const unknown = ['strace -p "$PID"', 'gdb -p $(cat x)', 'node inspect -p "$x"', 'gcore $PID']
  expect(unknown.map(command => [command, decide(command)])).toEqual(unknown.map(command => [command, 'ask']))
  const others = [
    'taskset 1 make',
    'nice -n 5 make',
    `renice 19 ${other.pid}`,
    `strace -p ${other.pid}`,
    `node inspect -p ${other.pid}`,
    'node inspect app.js',
    'strace ls',
    'gdb ./a.out core',
  ]
  expect(others.map(command => [command, decide(command)])).toEqual(others.map(command => [command, 'allow']))
})

test('whoever has our port is not looked up to be ended', () => {
  const ours = ['lsof -ti:4600', 'lsof -ti:4600 | xargs kill', 'kill $(lsof -t -i tcp:4600)', 'npx kill-port 4600', 'ss -K dport = 4600']
  expect(ours.map(command => [command, decide(command)])).toEqual(ours.map(command => [command, 'ask']))
  expect(decide('lsof -ti:3000 | xargs kill')).toBe('allow')
})

test('what may be one of ours asks', () => {
  const may = [
    ...[
      'pkill node',
      'pkill -o node',
      'pkill -n -f node',
      'pkill -f node',
      'killall node',
      'killall -9 node',
      "pkill -f '.*'",
      'pkill -u root',
      'pkill -f "$x"',
      'pkill -v -f vite',
      'kill -9 -1',
      'killall5 -9',
      'pkill -P 1',
      'pkill -P $PPID',
      'pkill --parent=1',
    ],
    // The shells of hook lines.
    ...['pkill sh', 'pkill -x sh', 'while :; do pkill -9 -x sh; done &', 'killall bash', 'pkill -9 dash', 'skill -9 sh'],
    ...[
      "pkill -f 'sh -c'",
      'pkill -f PreToolUse',
      'pkill -f -- --event',
      'pkill -f deadline-ms',
      "pkill -f '^/bin/sh -c'",
      "pkill -f 'exit 2'",
    ],
    ...['pidof sh | xargs kill -9', 'kill $(pgrep -x sh)', 'ps -C sh -o pid= | xargs kill', 'ps --ppid 12 -o pid= | xargs kill'],
    ...[
      'pgrep belayd',
      'pgrep -f node',
      'pidof node',
      'kill $(pgrep node)',
      "ps aux | grep node | awk '{print $2}' | xargs kill",
      'kill $(pidof node)',
    ],
    ...[
      "systemctl --user stop 'bel*'",
      'systemctl --user stop "$x"',
      'fuser -k 4600/tcp',
      `pkill -f ${home}`,
      'ps ax | grep belay | xargs kill -9',
      "ps -eo pid,args | grep '[b]elay' | awk '{print $1}' | xargs kill",
      "ps -eo pid,args | grep 'bela[[:alpha:]]' | cut -d' ' -f1 | xargs kill",
      "ps ax | grep 'bel\\(ay\\|x\\)' | xargs kill",
      "ps ax | awk '/[n]ode/ {print $1}' | xargs kill",
      "ps ax | sed -n '/be.ay/s/ .*//p' | xargs kill",
      'ps -eo pid= | xargs kill',
      'kill $(ps -e -o pid=)',
      'ps ax | grep -v vite | xargs kill',
      "ps aux | grep '.' | awk '{print $2}' | xargs kill",
      'ps aux | grep "$x" | xargs kill',
    ],
  ]
  expect(may.map(command => [command, /deny|ask/.test(decide(command))])).toEqual(may.map(command => [command, true]))
})

test('the processes of other programs are nobody else’s business', () => {
  const ordinary = [
    ...[
      'pkill -f vite',
      'pkill -f "npm run dev"',
      'pkill -f "node server.js"',
      'killall vite',
      'pkill -x webpack',
      `kill ${other.pid}`,
      'kill %1',
      'kill $!',
    ],
    ...[
      'kill $PID',
      'kill $(lsof -ti:3000)',
      'lsof -ti:3000 | xargs kill -9',
      'fuser -k 3000/tcp',
      'kill -l',
      'kill $(cat server.pid)',
      'pgrep -f vite',
    ],
    ...[
      'systemctl --user stop my-app',
      'systemctl restart nginx',
      'systemctl --user status belay',
      'pm2 restart all',
      'brew services stop postgresql',
    ],
    ...['pkill -9 -f jest', 'ps aux | grep vite', 'ps aux | grep belay'],
    ...[
      "ps aux | grep vite | awk '{print $2}' | xargs kill",
      "ps aux | grep '[v]ite' | awk '{print $2}' | xargs kill -9",
      "ps aux | grep -v grep | grep 'node server.js' | awk '{print $2}' | xargs kill",
      "kill $(ps aux | awk '/jest/ {print $2}')",
      'kill $(ps -o pid= --ppid $$)',
      'kill $(ps -o pid= -C vite)',
      'pkill -P $$',
      "trap 'pkill -P $$' EXIT; npm run dev",
      'pkill --parent "$!"',
      'pkill -f build.sh',
      'pkill -f "bash scripts/dev.sh"',
    ],
  ]
  expect(ordinary.filter(command => decide(command) !== 'allow')).toEqual([])
})

// Whoever tries every way through these does not come to an end.
const SELECTIONS = [
  '-O 60',
  '--older 60',
  '--old=60',
  '-r S',
  '--runstates S',
  '--run=S',
  '--ns 1',
  '--cgroup /user.slice',
  '--cg=/',
  '--pgroup 0',
  '--sess 0',
  '--env X',
]

test.each(SELECTIONS.flatMap(selection => [`pkill ${selection}`, `pkill -9 ${selection}`]))('%s chooses without a name', command => {
  expect(decide(command)).toBe('ask')
})

test.each(SELECTIONS.map(selection => `pkill ${selection} -x webpack`))('%s has a name', command => {
  expect(decide(command)).toBe('allow')
})

test.each(['0', '6', '1', '"$level"'])('init %s ends every process', level => {
  expect(decide(`init ${level}`)).toBe('ask')
})

test.each(['(.+)+@', '(a|a)*b(.*)*c', '.*.*.*.*.*.*x', 'x'.repeat(300)])('pkill -f %s may be any pattern', pattern => {
  expect(decide(`pkill -f '${pattern}'`)).toBe('ask')
})

test('a pattern of a repeat or two is read', () => {
  expect(decide("pkill -f 'vite.*--port.*80'")).toBe('allow')
})
