// As people and agents meet it: the built command, a hook process that waits, a watching terminal, a decision typed in another one, and an
// agent that tries to decide for itself. Needs `script` (a terminal for a program) and the build.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const bin = fileURLToPath(new URL('../../bin/belay.cjs', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'belay-held-'))
const project = join(folder, 'project')
const env = { PATH: process.env.PATH, HOME: folder, BELAY_HOME: join(folder, 'home'), TERM: 'dumb', NO_COLOR: '1' }
const children: ChildProcess[] = []

const POLICY = 'version: "2.0"\npermissions:\n  default: none\n  actors:\n    "agent:*": { ask: ["Bash(git push *)"] }\n'

beforeAll(() => {
  mkdirSync(join(project, '.belay'), { recursive: true })
  writeFileSync(join(project, '.belay', 'genesis.key'), POLICY)
  const up = belay('up', '--detach')
  if (up.status !== 0) throw new Error(up.stderr)
})
afterAll(() => {
  for (const child of children) child.kill()
  belay('down')
  rmSync(folder, { recursive: true, force: true })
})

function belay(...argv: readonly string[]) {
  return spawnSync(process.execPath, [bin, ...argv], { cwd: project, env, encoding: 'utf8' })
}

/** Collects what a program prints. */
function start(program: string, argv: readonly string[]): { child: ChildProcess; text(): string; ended: Promise<number | null> } {
  const child = spawn(program, argv, { cwd: project, env, stdio: ['pipe', 'pipe', 'pipe'] })
  children.push(child)
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', chunk => (text += chunk))
  return { child, text: () => text, ended: new Promise(resolve => child.once('close', resolve)) }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(resolve => setTimeout(resolve, 25))
}

function startHook(command: string) {
  const hook = start(process.execPath, [bin, 'hook', '--agent', 'claude-code', '--event', 'PreToolUse', '--deadline-ms', '30000'])
  hook.child.stdin?.end(JSON.stringify({ session_id: 's', cwd: project, tool_name: 'Bash', tool_input: { command }, tool_use_id: 't' }))
  return hook
}

test('a held hook process is released by a decision typed in another terminal', async () => {
  const watcher = start(process.execPath, [bin, 'approvals', '--watch'])
  const program = start(process.execPath, [bin, 'approvals', '--watch', '--json'])
  await until(() => watcher.text().includes('waiting for approvals'))
  const hook = startHook('git push origin main')
  await until(() => /apr_[0-9a-f]{8}/.test(watcher.text()))
  expect(hook.text()).toBe('')
  const id = /apr_[0-9a-f]{8}/.exec(watcher.text())?.[0] ?? ''
  await until(() => program.text().includes('\n'))
  expect(JSON.parse(program.text().split('\n')[0] ?? '')).toMatchObject({
    id,
    state: 'pending',
    input: { command: 'git push origin main' },
  })
  const terminal = start('script', ['-qec', `'${process.execPath}' '${bin}' approvals allow ${id}`, '/dev/null'])
  await until(() => terminal.text().includes('Type the last 4'))
  terminal.child.stdin?.write(`${id.slice(-4)}\n`)
  expect([await hook.ended, JSON.parse(hook.text()).hookSpecificOutput.permissionDecision]).toEqual([0, 'allow'])
  await terminal.ended
  expect(terminal.text()).toContain(`${id}  allowed by human:`)
})

test('a watching terminal decides with one key, and a key typed ahead decides nothing', async () => {
  const terminal = start('script', ['-qec', `'${process.execPath}' '${bin}' approvals --watch`, '/dev/null'])
  await until(() => terminal.text().includes('nothing waits; q quits'))
  // Before there is anything to decide.
  terminal.child.stdin?.write('a')
  const pushes = startHook('git push origin one')
  await until(() => terminal.text().includes('git push origin one') && terminal.text().includes('a allow once'))
  expect(terminal.text()).toContain('the agent waits')
  expect(pushes.text()).toBe('')
  await pressUntil(terminal, 'a', () => terminal.text().includes('allowed by human:'))
  expect([await pushes.ended, JSON.parse(pushes.text()).hookSpecificOutput.permissionDecision]).toEqual([0, 'allow'])

  const refused = startHook('git push origin two')
  await until(() => terminal.text().includes('git push origin two'))
  await pressUntil(terminal, 'd', () => terminal.text().includes('denied by human:'))
  expect([await refused.ended, JSON.parse(refused.text()).hookSpecificOutput.permissionDecision]).toEqual([0, 'deny'])
  terminal.child.stdin?.write('q')
  expect(await terminal.ended).toBe(0)
})

/** A key within the first moment of a request is left out on purpose; nothing else takes it here. */
async function pressUntil(terminal: ReturnType<typeof start>, key: string, isDone: () => boolean): Promise<void> {
  while (!isDone()) {
    terminal.child.stdin?.write(key)
    await new Promise(resolve => setTimeout(resolve, 500))
  }
}

test('an agent that runs the command is refused, at a terminal too', async () => {
  const hook = startHook('git push again')
  await until(() => belay('approvals').stdout.includes('git push again'))
  const id = /apr_[0-9a-f]{8}(?=[\s\S]*git push again)/.exec(belay('approvals').stdout)?.[0] ?? ''
  const claude = join(folder, 'claude')
  symlinkSync(process.execPath, claude)
  const script = join(folder, 'agent.cjs')
  writeFileSync(
    script,
    `require('node:child_process').spawnSync('script', ['-qec', ${JSON.stringify(`'${process.execPath}' '${bin}' approvals allow ${id}`)}, '/dev/null'], { stdio: 'inherit' })`,
  )
  chmodSync(script, 0o755)
  const agent = start(claude, [script])
  agent.child.stdin?.end(`${id.slice(-4)}\n`)
  await agent.ended
  expect(agent.text()).toContain('started by an agent (claude-code')
  expect(belay('approvals').stdout).toContain(id)
  hook.child.kill()
})

test('what an agent runs acts as that agent, whatever it says it is', async () => {
  const script = join(folder, 'claims.cjs')
  const environment = JSON.stringify({ ...env, BELAY_ACTOR: 'human:ada', AGENT_ID: 'stolen' })
  writeFileSync(
    script,
    `require('node:child_process').spawnSync(${JSON.stringify(process.execPath)}, [${JSON.stringify(bin)}, 'commit', 'mine', '--json'], { stdio: 'inherit', env: ${environment} })`,
  )
  const agent = start(join(folder, 'claude'), [script])
  await agent.ended
  const made = JSON.parse(agent.text())
  expect(made).toMatchObject({ actor: 'agent:claude-code', commitment: { createdBy: 'agent:claude-code' } })
  const { history } = JSON.parse(belay('commitments', 'show', made.commitment.id, '--json').stdout)
  expect(history[0].body.agentId).toBeUndefined()
  expect(JSON.parse(belay('commit', 'ours', '--json').stdout).actor).toMatch(/^human:/)
})
