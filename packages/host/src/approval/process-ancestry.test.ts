import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'
import { findAgent, listAncestors } from './process-ancestry.ts'
import { readEnvironment } from './process-facts.ts'

const cases: readonly [name: string, command: string, agent: string | null][] = [
  ['claude', 'claude --resume', 'claude-code'],
  ['node', 'node /usr/local/bin/claude -p hi', 'claude-code'],
  ['node', 'node --max-old-space-size=4096 /usr/lib/node_modules/@anthropic-ai/claude-code/cli.js', 'claude-code'],
  ['codex', '/opt/codex/bin/codex exec', 'codex'],
  ['node', 'node /home/a/.npm/_npx/1/node_modules/@google/gemini-cli/dist/index.js', 'gemini'],
  ['node', '/usr/bin/node /usr/bin/qwen', 'qwen'],
  ['opencode', 'opencode run', 'opencode'],
  ['bash', 'bash -l', null],
  ['vim', 'vim claude', null],
  ['grep', 'grep -r codex .', null],
  ['node', 'node server.js claude', null],
  ['tmux: server', 'tmux new -s claude', null],
]

test.each(cases)('%s (%s): %s', (name, command, agent) => {
  expect(findAgent([{ pid: 1, name, command: command.split(' ') }])?.agent ?? null).toBe(agent)
})

test('the nearest agent counts, however far up it is', () => {
  const shell = { pid: 3, name: 'bash', command: ['bash'] }
  const found = findAgent([shell, { pid: 2, name: 'codex', command: ['codex'] }, { pid: 1, name: 'claude', command: ['claude'] }])
  expect(found).toMatchObject({ agent: 'codex', process: { pid: 2 } })
})

test('real processes: parents up to the first, by /proc and by ps alike, and the variables one was started with', async () => {
  const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 20000)'], { env: { BELAY_ACTOR: 'agent:x', PATH: process.env.PATH } })
  const pid = child.pid ?? 0
  const [parent] = listAncestors(pid)
  expect(parent?.pid).toBe(process.pid)
  expect(listAncestors(pid, 'another').map(each => each.pid)).toEqual(listAncestors(pid).map(each => each.pid))
  if (process.platform === 'linux') expect(readEnvironment(pid)).toMatchObject({ BELAY_ACTOR: 'agent:x' })
  child.kill()
  await new Promise(resolve => child.once('exit', resolve))
  expect(listAncestors(2 ** 22 + 1)).toEqual([])
})
