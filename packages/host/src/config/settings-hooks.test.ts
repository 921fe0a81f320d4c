import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HookEvent } from '@belay/core'
import { createFileView } from '@belay/core/match'
import { type GenesisPolicy, parseGenesis } from '@belay/core/policy'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProjectGuard } from '../guard/project-guard.ts'
import { settingsHooks } from './settings-hooks.ts'

const base = mkdtempSync(join(tmpdir(), 'belay-settings-'))
const root = join(base, 'repo')
const userHome = join(base, 'home')

beforeAll(() => {
  mkdirSync(join(root, '.claude'), { recursive: true })
  const command = (text: string) => ({ type: 'command', command: text })
  const hooks = [
    { matcher: 'Bash', hooks: [command('echo no >&2; exit 2'), command('exec "/x/shim" --agent claude-code --event PreToolUse')] },
  ]
  writeFileSync(join(root, '.claude', 'settings.json'), JSON.stringify({ hooks: { PreToolUse: hooks } }))
})
afterAll(() => rmSync(base, { recursive: true, force: true }))

function policy(hooksFrom: string, trusted = true): GenesisPolicy {
  const parsed = parseGenesis(`version: "2.0"\n${hooksFrom}\n`, 'genesis.key')
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors))
  return { ...parsed.policy, trusted }
}

const commands = (policies: readonly GenesisPolicy[]) =>
  settingsHooks({ root, userHome, policies }).map(({ handler }) => (handler.type === 'command' ? handler.command : handler.type))

test.each([
  ['says nothing', [policy('')], 0],
  ['asks for them', [policy('hooks_from: [genesis, settings]')], 1],
  ['wants genesis alone', [policy('hooks_from: [genesis]')], 0],
  ['asks for them, but nobody trusts it', [policy('hooks_from: [genesis, settings]', false)], 0],
  ['asks for them, and another refuses', [policy('hooks_from: [genesis, settings]'), policy('hooks_from: [genesis]')], 0],
])('a policy that %s', (_title, policies, count) => {
  expect(commands(policies)).toHaveLength(count)
})

test('they run for other agents, never for Claude Code, and our own line never runs', async () => {
  const policies = [policy('hooks_from: [genesis, settings]')]
  const loaded = { root, files: [], policies, locked: null, trustProblem: null }
  const guard = createProjectGuard({
    loaded,
    belayHome: base,
    userHome,
    files: createFileView(),
    hooks: settingsHooks({ root, userHome, policies }),
    handler: { env: process.env },
  })
  const event = (agent: string): HookEvent => ({
    name: 'PreToolUse',
    sessionId: 's',
    cwd: root,
    transcriptPath: null,
    permissionMode: null,
    actor: `agent:${agent}`,
    agent,
    commitment: null,
    fields: { toolName: 'Bash', toolInput: { command: 'ls' } },
    env: {},
  })
  expect((await guard.guard(event('codex'))).verdict).toEqual({ decision: 'deny', reason: 'no' })
  expect((await guard.guard(event('claude-code'))).verdict.decision).toBe('none')
})
