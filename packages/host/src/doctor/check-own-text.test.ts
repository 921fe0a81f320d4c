// Lines of custom commands that no hook hears of: doctor names those that the policy would refuse.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { findAgent } from '@belay/core/adapter'
import { afterAll, expect, test } from 'vitest'
import { checkOwnText } from './check-own-text.ts'

const folder = mkdtempSync(join(tmpdir(), 'belay-own-text-'))
const [home, user, root] = [join(folder, 'belay'), join(folder, 'user'), join(folder, 'project')]
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

put(
  join(home, 'policy', 'genesis.key'),
  'version: "2.0"\npermissions:\n  default: none\n  actors:\n    "agent:*":\n      deny: ["Bash(deploy *)", "Read(.env)"]\n',
)
put(join(root, '.belay', 'genesis.key'), 'version: "2.0"\n')
put(join(root, '.gemini', 'commands', 'git', 'ship.toml'), 'prompt = "!{deploy now}"\n')
put(join(root, '.gemini', 'commands', 'free.toml'), 'prompt = "!{git status}"\n')
put(join(user, '.gemini', 'extensions', 'e', 'commands', 'look.toml'), 'prompt = "@{.env}"\n')
put(join(user, '.qwen', 'commands', 'ship.md'), '!{deploy now}\n')
put(join(user, '.config', 'opencode', 'commands', 'ship.md'), '!`deploy now`\n')
put(join(root, '.claude', 'skills', 'sail', 'SKILL.md'), '---\nname: sail\n---\n!`deploy now`\n')
put(join(root, '.kilocode', 'workflows', 'ship.md'), '!`deploy now`\n')

/** The names that are told, of commands that are typed. */
function told(id: string): readonly string[] {
  const agent = findAgent(id)
  if (agent === null) throw new Error(`no agent ${id}`)
  const place = { home, etc: join(folder, 'etc'), env: { HOME: user } }
  const findings = checkOwnText(agent, root, place)
  expect(findings.every(({ check, state, remedy }) => check === 'own commands' && state === 'warn' && remedy !== undefined)).toBe(true)
  return findings.flatMap(({ message }) => [...message.matchAll(/(\/\w+) \(/g)].map(([, name]) => name ?? '')).sort()
}

test.each([
  ['gemini', ['/look', '/ship']],
  ['qwen', ['/ship']],
  ['opencode', ['/sail', '/ship']],
  ['kilo', ['/ship']],
  ['claude-code', []],
  ['codex', []],
])('%s', (agent, names) => {
  expect(told(agent)).toEqual(names)
})
