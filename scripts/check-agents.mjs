// Proves that an agent is two files, a line in each list and a fixture: adds one called foo to a copy of the project and deletes another
// from it. Both times types and tests must hold; foo is installed with the built command, and the installed line decides a payload.
import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { copyProject, restore, write } from './lib/copy-project.mjs'

const DELETED = process.argv[2] ?? 'goose'
const PACKAGES = ['core', 'host']
const TESTS = ['packages/core/src/adapter', 'packages/core/src/match/path', 'packages/host/src/agent']

const CORE_FILE = `import { gateOnly } from './family.ts'

export const foo = gateOnly({
  name: 'Foo',
  answer: 'exit-code',
  obeysExitCode: true,
  program: 'foo',
  ownPaths: ['.foo'],
  hookPaths: ['.foo/hooks'],
  events: { before_tool: 'PreToolUse', after_tool: 'PostToolUse', stop: 'Stop' },
  tools: { run: 'Bash' },
  toolArguments: { line: 'command' },
})
`

const HOST_FILE = `import { join } from 'node:path'
import { group, shared } from './hook-file.ts'
import { hostAgent } from './host-agent.ts'

export const foo = hostAgent({
  process: /^foo$/,
  target: shared('foo', {
    user: ({ userHome }) => join(userHome, '.foo', 'hooks.json'),
    project: ({ projectRoot }) => join(projectRoot, '.foo', 'hooks.json'),
    spell: group,
  }),
  shellTool: 'run',
})
`

const PAYLOAD = { session_id: 's1', cwd: '/repo', tool_name: 'run', tool_input: { line: 'ls' } }
const FIXTURE = {
  payloads: [
    {
      event: 'before_tool',
      payload: PAYLOAD,
      decoded: {
        event: 'PreToolUse',
        answerEvent: 'PreToolUse',
        payload: { session_id: 's1', cwd: '/repo', tool_name: 'Bash', tool_input: { command: 'ls' }, hook_event_name: 'PreToolUse' },
        rawTool: { name: 'run', input: { line: 'ls' } },
      },
    },
  ],
  commands: [{ tool: 'run', input: { line: '$COMMAND' } }],
  denied: { event: 'before_tool', answer: null, stderr: 'Tool denied: no force push\n', exitCode: 2 },
}

const POLICY = `version: "2.0"
permissions:
  default: none
  actors:
    "agent:*":
      deny: ["Bash(rm -rf *)"]
`

const copy = copyProject()
let passed = 0
let failed = 0
try {
  addAgent()
  check('foo added: types', ...npm('types'))
  // Before the tests: one of them runs the command that a line names.
  check('foo added: build', 'node_modules/.bin/rolldown', '-c', 'rolldown.config.mjs', '--log-level', 'warn')
  check('foo added: tests', 'node_modules/.bin/vitest', 'run', ...TESTS)
  check('foo added: its line', 'node_modules/.bin/vitest', 'run', 'packages/host/src/install/hook-line.test.ts', '-t', 'foo')
  installAndDecide()
  restore(copy)
  deleteAgent(DELETED)
  check(`${DELETED} deleted: types`, ...npm('types'))
  check(`${DELETED} deleted: tests`, 'node_modules/.bin/vitest', 'run', ...TESTS)
  check(`${DELETED} deleted: dead code`, 'node_modules/.bin/knip')
} finally {
  rmSync(copy, { recursive: true, force: true })
}
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

function addAgent() {
  write(copy, 'packages/core/src/agent/foo.ts', CORE_FILE)
  write(copy, 'packages/host/src/agent/foo.ts', HOST_FILE)
  for (const name of PACKAGES) appendFileSync(join(copy, `packages/${name}/src/agent/list.ts`), "export { foo } from './foo.ts'\n")
  write(copy, 'packages/core/src/adapter/fixtures/foo.json', JSON.stringify(FIXTURE))
}

/** Its files, their tests, its fixture and its line in each list. */
function deleteAgent(id) {
  for (const name of PACKAGES) {
    const folder = join(copy, `packages/${name}/src/agent`)
    rmSync(join(folder, `${id}.ts`))
    rmSync(join(folder, `${id}.test.ts`), { force: true })
    const list = join(folder, 'list.ts')
    const lines = readFileSync(list, 'utf8').split('\n')
    writeFileSync(list, lines.filter(line => !line.includes(`'./${id}.ts'`)).join('\n'))
  }
  rmSync(join(copy, `packages/core/src/adapter/fixtures/${id}.json`))
}

/** As a person would: install, then the agent runs its line, while no daemon is there. */
function installAndDecide() {
  const user = join(copy, 'user')
  const home = join(user, '.belay')
  mkdirSync(join(home, 'policy'), { recursive: true })
  writeFileSync(join(home, 'policy', 'genesis.key'), POLICY)
  const env = { HOME: user, BELAY_HOME: home, PATH: process.env.PATH, BELAY_NO_AUTOSTART: '1' }
  const belay = join(copy, 'packages/host/bin/belay.cjs')
  const installed = spawnSync(process.execPath, [belay, 'install', 'foo'], { cwd: user, env, encoding: 'utf8' })
  report('belay install foo', installed.status === 0, `${installed.stdout}${installed.stderr}`)
  const file = join(user, '.foo', 'hooks.json')
  const line = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).hooks.before_tool[0].hooks[0].command : 'exit 99'
  const decide = command => {
    const input = JSON.stringify({ ...PAYLOAD, cwd: user, tool_input: { line: command } })
    return spawnSync('/bin/sh', ['-c', line], { cwd: user, env, input, encoding: 'utf8' })
  }
  const denied = decide('rm -rf x')
  report('its line refuses what the policy denies', denied.status === 2 && denied.stderr.includes('rm -rf'), JSON.stringify(denied))
  const passes = decide('ls')
  report('its line lets the rest pass', passes.status === 0, JSON.stringify(passes))
}

function npm(script) {
  return ['npm', 'run', '--silent', script]
}

function check(name, command, ...args) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: copy, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  report(name, status === 0, `${stdout}${stderr}`)
}

function report(name, isGood, output) {
  if (isGood) passed++
  else failed++
  console.log(`${isGood ? 'holds ' : 'FAILS '}  ${name}`)
  if (!isGood) console.log(output.slice(-6000))
}
