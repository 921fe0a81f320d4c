// Hooks from files, in the process of whoever loads them.
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { createHooks } from '../engine/create-hooks.ts'
import { type HookFileFormat, loadHooks } from './load-hooks.ts'

const DENIES = "echo 'not here' >&2; exit 2"
const nested = `hooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: "echo 'not here' >&2; exit 2"\n`

const FILES: readonly (readonly [string, HookFileFormat, string])[] = [
  [
    'TOML',
    'toml',
    `disable_all_hooks = false\nallow_managed_hooks_only = false\n[[hooks]]\nevent = "PreToolUse"\ntool_matcher = "Bash"\n[hooks.shell]\ncommand = "echo 'not here' >&2; exit 1"\n`,
  ],
  [
    'JSON, as events with their hooks',
    'json',
    JSON.stringify({
      hooks: { PreToolUse: [{ matcher: 'Bash', command: DENIES }] },
      disableAllHooks: false,
      allowManagedHooksOnly: false,
    }),
  ],
  [
    'JSON, as a list',
    'json',
    JSON.stringify({ hooks: [{ event: 'PreToolUse', matcher: 'Bash', shell: { command: 'echo not here >&2; exit 1' } }] }),
  ],
  ['frontmatter', 'frontmatter', `---\nname: deploy\n${nested}---\nShip it.\n`],
]

test.each(FILES)('%s runs', async (_title, format, text) => {
  const { hooks, settings, diagnostics } = loadHooks(text, format)
  expect(diagnostics).toEqual([])
  const made = createHooks({}, { settings, cwd: tmpdir() })
  const undo = format === 'frontmatter' ? made.registry.registerSkill(hooks) : made.registry.addAll(hooks)
  const call = (toolName: string) => made.fire('PreToolUse', { toolName, toolInput: { command: 'ls' }, toolUseId: 'x' })
  // hooks.toml: any code but zero refuses, and the reason says that a hook failed.
  const reason = text.includes('exit 1') ? 'Hook failed: not here' : 'not here'
  expect((await call('Bash')).verdict).toEqual({ decision: 'deny', reason })
  expect((await call('Read')).verdict.decision).toBe('none')
  undo()
  expect((await call('Bash')).verdict.decision).toBe('none')
})

test.each<[string, HookFileFormat, string, RegExp]>([
  ['TOML that is none', 'toml', '[[hooks\n', /not TOML/],
  ['JSON that is none', 'json', '{', /./],
  ['frontmatter that is none', 'frontmatter', '---\nhooks: [\n---\n', /./],
  ['an event that there is not', 'toml', '[[hooks]]\nevent = "PreTolUse"\n[hooks.shell]\ncommand = "x"\n', /did you mean PreToolUse/],
  ['an event that there is not, in JSON', 'json', '{"hooks":{"PreTolUse":[{"command":"x"}]}}', /did you mean PreToolUse/],
])('%s is an error', (_title, format, text, message) => {
  const errors = loadHooks(text, format).diagnostics.filter(({ severity }) => severity === 'error')
  expect(errors[0]?.message).toMatch(message)
})

test('the switches are read in both spellings', () => {
  expect(loadHooks('disable_all_hooks = true\n', 'toml').settings.disableAllHooks).toBe(true)
  expect(loadHooks('{"allowManagedHooksOnly": true}', 'json').settings.allowManagedHooksOnly).toBe(true)
})

const TABLE = '[[hooks]]\nevent = "PreToolUse"\n'
const SHELL = '[hooks.shell]\ncommand = "exit 1"\n'

test.each([
  [`${TABLE}async_mode = true\n${SHELL}`, { async: true }],
  [`${TABLE}async_mode = true\nasync_timeout = 5\ntimeout_sec = 60\n${SHELL}`, { async: true, timeoutMs: 5000 }],
  [`${TABLE}${SHELL}async_mode = true\nasync_timeout = "700ms"\n`, { async: true, timeoutMs: 700 }],
  [`${TABLE}timeout_sec = 60\nasync_mode = false\n${SHELL}`, { timeoutMs: 60_000 }],
  [`${TABLE}status_message = "checking"\n${SHELL}`, { statusMessage: 'checking' }],
])('%j', (text, options) => {
  const { hooks, diagnostics } = loadHooks(text, 'toml')
  expect(diagnostics).toEqual([])
  const { async, timeoutMs, statusMessage } = hooks[0] ?? {}
  expect(JSON.parse(JSON.stringify({ async, timeoutMs, statusMessage }))).toEqual(options)
})

test.each([
  ['async_mode = "yes"', 'async_mode is "yes", expected true or false'],
  ['async_mode = true\nasync_timeout = -1', 'async_timeout is -1, expected seconds or a text such as "15s"'],
  ['async_timeout = 5', 'async_timeout means nothing without async_mode = true'],
])('%j is an error', (line, message) => {
  expect(loadHooks(`${TABLE}${line}\n${SHELL}`, 'toml').diagnostics.map(each => each.message)).toContain(message)
})

test('a hook of hooks.toml with async_mode holds nothing up and denies nothing', async () => {
  const { hooks } = loadHooks(`${TABLE}async_mode = true\n${SHELL}`, 'toml')
  const made = createHooks({}, { cwd: tmpdir() })
  made.registry.addAll(hooks)
  const fired = await made.fire('PreToolUse', { toolName: 'Bash', toolInput: {}, toolUseId: 'x' })
  expect(fired.verdict.decision).toBe('none')
  // Nobody could be refused any more: that it failed is what is left to tell.
  expect(await Promise.all(fired.background)).toMatchObject([
    { outcome: 'non_blocking_error', error: expect.stringContaining('exited with code 1') },
  ])
})
