// Settings that a running agent would take over: what switches us off, or runs what the rules do not allow, is refused; all else is nobody's business.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { findAgent } from '@belay/core/adapter'
import { createFileView } from '@belay/core/match'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { HOST_AGENTS } from '../agent/agents.ts'
import { loadPolicies } from '../config/genesis.ts'
import { genesisChecks } from '../config/genesis-checks.ts'
import { addHooks } from '../install/hook-edit.ts'
import { recordPath, sha256, writeRecord } from '../install/install-record.ts'
import { createProjectGuard } from './project-guard.ts'

const folder = mkdtempSync(join(tmpdir(), 'belay-settings-'))
const [home, root] = [join(folder, '.belay'), join(folder, 'project')]
const [user, project] = [folder, root].map(base => join(base, '.claude', 'settings.json')) as [string, string]
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const POLICY = `version: "2.0"
permissions:
  default: ask
  actors:
    "agent:*":
      allow: ["Bash(prettier *)"]
      deny: ["Bash(deploy *)"]
`

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** As `belay install claude-code` leaves it. */
beforeEach(() => {
  rmSync(folder, { recursive: true, force: true })
  put(join(home, 'policy', 'genesis.key'), POLICY)
  const place = { scope: 'user', env: {}, userHome: folder, projectRoot: root, shim: join(home, 'bin', 'belay-hook') } as const
  const file = HOST_AGENTS['claude-code'].target?.files(place)[0]
  const made = file?.kind === 'shared' ? addHooks('{\n  "permissions": {}\n}\n', file.hooks) : null
  if (made?.ok !== true) throw new Error('claude-code has a file of hooks')
  put(user, made.text)
  const files = [{ path: user, original: null, written: sha256(made.text) }]
  writeRecord(recordPath(home, 'claude-code', place), { agent: 'claude-code', scope: 'user', projectRoot: null, files, folders: [] })
})

async function decide(filePath: string | null, agent = 'claude-code', policyHome = home): Promise<string> {
  const loaded = loadPolicies({ cwd: root, home: policyHome, etc: join(folder, 'etc'), checks: genesisChecks })
  const guard = createProjectGuard({ loaded, belayHome: home, userHome: folder, files: createFileView() })
  expect(findAgent(agent)).not.toBeNull()
  const event = {
    ...{ name: 'ConfigChange', sessionId: 's', cwd: root, transcriptPath: null, permissionMode: null, actor: `agent:${agent}`, agent },
    ...{ commitment: null, env: {}, fields: { source: 'settings', ...(filePath === null ? {} : { filePath }) } },
  }
  const { verdict } = await guard.guard(event)
  return verdict.decision === 'deny' ? `deny: ${verdict.reason?.replaceAll(folder, '~')}` : verdict.decision
}

const hook = (command: string) => JSON.stringify({ hooks: { PostToolUse: [{ hooks: [{ type: 'command', command }] }] } })
const ours = () => readFileSync(user, 'utf8')

test.each<[string, string, string]>([
  ['{"disableAllHooks": true}', 'project', 'settings.json switches our hooks off (disableAllHooks)'],
  ['{"disableAllHooks": true}', 'local', 'settings.local.json switches our hooks off'],
  ['// x\n{"disableAllHooks": true,}', 'project', 'switches our hooks off'],
  ['{"allowManagedHooksOnly": true}', 'project', 'switches our hooks off'],
  ['{"env": {"SHELLOPTS": "noexec"}}', 'project', 'sets SHELLOPTS for the shell that starts our hooks'],
  ['{"env": {"LD_PRELOAD": "/x.so"}}', 'project', 'sets LD_PRELOAD'],
  ['{"env": {"CLAUDE_CODE_SHELL_PREFIX": "true"}}', 'project', 'CLAUDE_CODE_SHELL_PREFIX'],
  [hook('deploy now'), 'project', 'has the agent run `deploy now` by itself'],
  [hook('make all'), 'project', 'has the agent run `make all` by itself'],
  ['{"statusLine": {"type": "command", "command": "deploy x"}}', 'project', '`deploy x`'],
  ['{"apiKeyHelper": "sh -c \'deploy x\'"}', 'project', 'by itself'],
  ['{}', 'user', 'has no hook of ours'],
  ['{', 'user', 'is broken'],
])('%s in the %s settings is refused', async (text, where, why) => {
  const path = where === 'user' ? user : where === 'local' ? project.replace('.json', '.local.json') : project
  put(path, text)
  expect(await decide(path)).toContain(why)
})

test.each<[string, (text: string) => string]>([
  ['has a narrower matcher', text => text.replace(/"PreToolUse": \[\s*\{/, '$& "matcher": "Read",')],
  ['has a shorter time', text => text.replace(/"timeout": 120/, '"timeout": 1')],
  ['ends well whatever we say', text => text.replace('; exit 2"', '; exit 2 || true"')],
  ['lacks an event', text => text.replace('"PreToolUse"', '"PreTool"')],
])('an entry of ours that %s is refused', async (_title, change) => {
  const changed = change(ours())
  expect(changed).not.toBe(ours())
  put(user, changed)
  expect(await decide(user)).toMatch(/^deny: /)
})

test('user settings that are gone are refused', async () => {
  rmSync(user)
  expect(await decide(user)).toContain('cannot be read')
})

test.each<[string, string]>([
  ['{"permissions": {"allow": ["Bash(ls)"]}}', 'project'],
  [hook('prettier --check .'), 'project'],
  ['{"env": {"DEBUG": "1"}, "model": "x"}', 'project'],
  ['{"disableAllHooks": false}', 'project'],
])('%s in the %s settings is taken over', async text => {
  put(project, text)
  expect(await decide(project)).toBe('none')
})

test('our own entries beside other settings are taken over', async () => {
  put(user, ours().replace('"permissions":{}', '"permissions":{"deny":["Bash(rm)"]}'))
  expect(await decide(user)).toBe('none')
})

test('after an uninstall settings without our hooks are taken over', async () => {
  rmSync(join(home, 'install'), { recursive: true })
  put(user, '{}')
  expect(await decide(user)).toBe('none')
})

test('without any policy nothing is refused', async () => {
  put(project, '{"disableAllHooks": true}')
  expect(await decide(project, 'claude-code', join(folder, 'elsewhere'))).toBe('none')
})

test('a change that names no file is nobody’s business', async () => {
  expect(await decide(null)).toBe('none')
})
