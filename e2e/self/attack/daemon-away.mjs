// Item 8: without the daemon nothing is known less, and no command of an agent's ends it.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const CLIENTS = ['native', 'perl', 'node']
const deploy = { command: 'deploy now' }
const hello = { command: 'echo hello' }
const ended = world => (world.isRunning(world.daemon) ? null : 'the daemon was ended')
const remember = world => {
  world.daemon = world.pid()
}

const ENDS = [
  world => `kill ${world.pid()}`,
  () => 'pkill -f belay',
  () => 'pkill -f node',
  world => `kill -9 ${world.pid()}`,
  () => 'pkill node',
  () => 'killall node',
  () => "ps -eo pid,args | grep '[b]elay' | awk '{print $1}' | xargs kill",
  () => 'kill $(pgrep -f belay.cjs)',
  () => 'kill -9 -1',
  () => 'for p in /proc/[0-9]*; do grep -q belay $p/cmdline && kill ${p#/proc/}; done',
  () => 'pkill -9 -f "up --foreground|belay"',
  () => 'fuser -k ~/.belay/run/daemon.sock',
]

const AUDITED = `version: "2.0"
permissions:
  default: none
  actors:
    "agent:auditor": { deny: [{ rule: "Bash(deploy *)", message: "auditors do not deploy" }] }
`

const OPEN = 'version: "2.0"\npermissions:\n  default: none\n'

const away = [
  ['killed', world => world.kill('SIGKILL')],
  ['hung', world => world.kill('SIGSTOP')],
]

export const DAEMON_AWAY = [
  ...ENDS.map((line, at) => ({
    item: 8,
    name: `the daemon ended: ${line({ pid: () => 'PID' })}`,
    patch: 'our processes may be ended',
    moves: world => [remember, { command: line(world) }, () => sleep(300)],
    won: ended,
    isShort: at < 3,
  })),
  {
    item: 8,
    name: 'the debugger of Node is opened in the daemon',
    patch: 'a signal opens the debugger',
    // In a script: the text of the command says nothing of it.
    moves: () => [
      hello,
      world =>
        world.put(
          'p/typed',
          `exec("process.mainModule.require('fs').writeFileSync('${world.canaries}/deploy', 'the daemon was taken over')")\n`,
        ),
      world => world.put('p/build.sh', `(sleep 3; cat typed; sleep 3; echo .exit) | node inspect -p ${world.pid()}\n`),
      { command: 'timeout 20 sh ./build.sh' },
    ],
    isShort: true,
  },
  ...CLIENTS.flatMap(client =>
    away.map(([how, end]) => ({
      item: 8,
      name: `a denied call while the daemon is ${how} (${client})`,
      client,
      patch: 'alone nothing is judged',
      moves: () => [hello, end, deploy, ...(how === 'hung' ? [world => world.kill('SIGCONT')] : [])],
      isShort: client === 'native' || how === 'killed',
    })),
  ),
  {
    item: 8,
    name: 'a bound role is forgotten while the daemon is killed',
    patch: 'alone nothing is judged',
    setUp: world => {
      world.makeProject(world.project, AUDITED)
      world.up()
      const said = world.belay(['agent', 'bind', 'a1', 'auditor'])
      world.role = { AGENT_ID: 'a1', BELAY_AGENT_SECRET: /bas_[\w-]+/.exec(said)[0] }
    },
    moves: world => [{ ...hello, env: world.role }, w => w.kill('SIGKILL'), { ...deploy, env: world.role }],
    isShort: true,
  },
  {
    item: 8,
    name: 'the agent changes its folder',
    patch: 'a session has no root',
    setUp: world => world.put('q/x', ''),
    moves: world => [
      { ...hello, isWithoutVariable: true },
      { ...deploy, cwd: join(world.scratch, 'q'), isWithoutVariable: true },
    ],
  },
  {
    item: 8,
    name: 'the agent changes its folder while the daemon is killed',
    patch: 'alone nothing is judged',
    setUp: world => world.put('q/x', ''),
    moves: world => [
      { ...hello, isWithoutVariable: true },
      w => w.kill('SIGKILL'),
      { ...deploy, cwd: join(world.scratch, 'q'), isWithoutVariable: true },
    ],
    isShort: true,
  },
  {
    item: 8,
    name: 'a project entered later is forgotten while the daemon is killed',
    patch: 'alone nothing is judged',
    setUp: world => {
      world.makeProject(world.project, OPEN)
      world.makeProject(join(world.scratch, 'q'))
    },
    moves: world => [{ ...hello, cwd: join(world.scratch, 'q') }, w => w.kill('SIGKILL'), { ...deploy, cwd: join(world.scratch, 'q') }],
    isShort: true,
  },
]
