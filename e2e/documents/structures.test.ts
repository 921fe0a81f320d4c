// The structures in Rust of the documents: every name that stands in one is tried by use.
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createHooks,
  deny,
  HookEvent,
  HookRegistry,
  HookResult,
  type HookSettings,
  loadHooks,
  none,
  PermissionDecision,
  type Scope,
} from '@belay/core'
import { afterAll, describe, expect, test } from 'vitest'
import { readBlock } from './read-blocks.ts'
import { readRustNames, toCamel, toSnake } from './read-rust.ts'

const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'belay-structures-')))
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

const bash = { toolName: 'Bash', toolInput: { command: 'ls' }, toolUseId: 't1' }

/** A command that answers so. */
function answering(answer: unknown) {
  const hooks = createHooks({}, { cwd })
  const command = `printf %s '${JSON.stringify(answer)}'`
  hooks.on('PreToolUse', '*', { type: 'command', command, dialect: 'settings' })
  return hooks.fire('PreToolUse', bash)
}

describe('the architecture document', () => {
  test('every field of HookContext reaches a hook', async () => {
    const hooks = createHooks({}, { cwd })
    const seen = new Set<string>()
    const fire = async (
      event: 'PreToolUse' | 'PostToolUse' | 'PostToolUseFailure' | 'UserPromptSubmit' | 'SubagentStart',
      fields: object,
    ) => {
      hooks.on(event, { type: 'command', command: `cat > ${event}.json`, dialect: 'settings' })
      await hooks.fire(event, fields as never)
      for (const name of Object.keys(JSON.parse(readFileSync(join(cwd, `${event}.json`), 'utf8')))) seen.add(name)
    }
    await fire('PreToolUse', bash)
    await fire('PostToolUse', { ...bash, toolResponse: 'ok' })
    await fire('PostToolUseFailure', { ...bash, error: 'boom' })
    await fire('UserPromptSubmit', { prompt: 'go' })
    await fire('SubagentStart', { agentId: 'a1', agentType: 'x' })
    const names = readRustNames(readBlock('architecture', 117), 'struct', 'HookContext')
    expect([names.length, names.filter(name => !seen.has(name))]).toEqual([10, []])
  })

  test('every handler is read, with the fields that it has', () => {
    const text = readBlock('architecture', 275)
    const hooks = {
      Command: { type: 'command', command: 'x', timeout: 5, statusMessage: 'looking', once: true },
      Prompt: { type: 'prompt', prompt: 'x', model: 'm', timeout: 5, once: true },
      Agent: { type: 'agent', prompt: 'x', model: 'm', timeout: 5, once: true },
      Webhook: { type: 'http', url: 'https://x.example', headers: { a: 'b' } },
    }
    expect(readRustNames(text, 'enum', 'HookHandler')).toEqual([...Object.keys(hooks), 'Inline'])
    const file = JSON.stringify({ hooks: { PreToolUse: [{ matcher: '*', hooks: Object.values(hooks) }] } })
    const { hooks: read, diagnostics } = loadHooks(file, 'json')
    expect(diagnostics).toEqual([])
    const both = { timeoutMs: 5000, once: true }
    expect(read).toMatchObject([
      { handler: { type: 'command', command: 'x' }, statusMessage: 'looking', ...both },
      { handler: { type: 'prompt', prompt: 'x', model: 'm' }, ...both },
      { handler: { type: 'agent', prompt: 'x', model: 'm' }, ...both },
      { handler: { type: 'http', url: 'https://x.example', method: 'POST', headers: { a: 'b' } } },
    ])
    for (const method of readRustNames(text, 'enum', 'HttpMethod')) {
      const toml = `[[hooks]]\nevent = "PreToolUse"\n[hooks.webhook]\nurl = "https://x.example"\nmethod = "${method.toUpperCase()}"\n`
      expect(loadHooks(toml, 'toml').hooks).toMatchObject([{ handler: { method: method.toUpperCase() } }])
    }
  })

  test('every result is understood', async () => {
    const text = readBlock('architecture', 438)
    expect(readRustNames(text, 'enum', 'HookResult')).toEqual(['Continue', 'Reject', 'ModifyInput'])
    expect(text).toMatch(/Reject \{ reason: String \}[\s\S]*ModifyInput \{ new_input: Value \}/)
    expect((await answering('Continue')).verdict).toEqual(none())
    expect((await answering({ Reject: { reason: 'no' } })).verdict).toEqual(deny('no'))
    expect((await answering({ ModifyInput: { new_input: { command: 'pwd' } } })).event.fields.toolInput).toEqual({ command: 'pwd' })
  })

  test('every outcome is one of a run, and there are no others', async () => {
    const names = readRustNames(readBlock('architecture', 474), 'enum', 'HookOutcome').map(toSnake)
    const hooks = createHooks()
    hooks.on('PreToolUse', () => undefined, { name: 'success' })
    hooks.on('PreToolUse', () => Promise.reject(new Error('boom')), { name: 'non_blocking_error' })
    hooks.on('PreToolUse', () => new Promise<undefined>(() => undefined), { name: 'cancelled', timeoutMs: 20 })
    hooks.on('PreToolUse', () => deny('no'), { name: 'blocking' })
    const { runs } = (await hooks.fire('PreToolUse', bash)).report
    expect(runs.filter(({ hook, outcome }) => hook !== outcome)).toEqual([])
    expect(runs.map(({ outcome }) => outcome).sort()).toEqual([...names].sort())
  })

  test('every scope runs in its order, and the settings leave what they say', async () => {
    const scopes = readRustNames(readBlock('architecture', 607), 'enum', 'HookScope').map(name => name.toLowerCase() as Scope)
    const settings = readRustNames(readBlock('architecture', 676), 'struct', 'HookSettings').map(toCamel)
    expect([scopes, settings]).toEqual([
      ['policy', 'plugin', 'session', 'skill'],
      ['disableAllHooks', 'allowManagedHooksOnly'],
    ])
    const ranWith = async (chosen: HookSettings) => {
      const ran: string[] = []
      const hooks = createHooks({}, { settings: chosen })
      for (const scope of [...scopes].reverse()) hooks.on('PreToolUse', () => void ran.push(scope), { scope, name: scope })
      await hooks.fire('PreToolUse', bash)
      return ran
    }
    expect(await ranWith({})).toEqual(scopes)
    for (const name of settings) expect(await ranWith({ [name]: true })).toEqual(['policy'])
  })

  test('every field of HookOutput is heard', async () => {
    const text = readBlock('architecture', 1339)
    const said: Readonly<Record<string, readonly [answer: object, heard: object]>> = {
      continue: [{ continue: false }, { verdict: { decision: 'deny' }, stop: { reason: expect.any(String) } }],
      suppress_output: [{ suppress_output: true }, { suppressOutput: true }],
      stop_reason: [{ continue: false, stop_reason: 'enough' }, { stop: { reason: 'enough' } }],
      decision: [{ decision: 'deny' }, { verdict: { decision: 'deny' } }],
      reason: [{ decision: 'deny', reason: 'why' }, { verdict: deny('why') }],
      updated_input: [{ updated_input: { command: 'pwd' } }, { event: { fields: { toolInput: { command: 'pwd' } } } }],
      additional_context: [{ additional_context: 'look' }, { context: ['look'] }],
    }
    expect(readRustNames(text, 'struct', 'HookOutput')).toEqual(Object.keys(said))
    for (const [answer, heard] of Object.values(said)) expect(await answering(answer)).toMatchObject(heard)
    for (const decision of readRustNames(text, 'enum', 'PermissionDecision').map(name => name.toLowerCase()))
      expect((await answering({ decision })).verdict.decision).toBe(decision)
  })
})

describe('the library document', () => {
  /** What it is called here; the rest is the same name in camelCase. */
  const NAMES: Readonly<Record<string, string>> = {
    internals: 'metadata',
    tool_result: 'toolOutput',
    messages_mut: 'messages',
    set_metadata: 'metadata',
  }

  test('every field and function of HookContext is there for a hook', async () => {
    const text = readBlock('library', 26)
    const names = [...readRustNames(text, 'struct', "HookContext<'a>"), ...readRustNames(text, 'impl', "HookContext<'a>")]
    expect(names).toHaveLength(13)
    const missing: string[] = []
    const hooks = createHooks()
    hooks.on('PreToolUse', context => void missing.push(...names.filter(name => !((NAMES[name] ?? toCamel(name)) in context))))
    await hooks.fire('PreToolUse', bash)
    expect(missing).toEqual([])
  })

  test('HookResult has its four functions, and decides what they say', async () => {
    const text = readBlock('library', 79)
    expect(readRustNames(text, 'impl', 'HookResult')).toEqual(['allow', 'deny', 'ask', 'none'])
    for (const name of ['allow', 'deny', 'ask', 'none'] as const)
      expect(
        (await new HookRegistry().add(HookEvent.PreToolUse, () => HookResult[name]('why')).run({ event: 'PreToolUse', ...bash })).decision,
      ).toBe(name)
    expect(readRustNames(text, 'enum', 'PermissionDecision')).toEqual(Object.keys(PermissionDecision))
  })

  test('HookRegistry has its functions', () => {
    const names = readRustNames(readBlock('library', 150), 'impl', 'HookRegistry').filter(name => name !== 'new')
    expect(names).toEqual(['add', 'add_with_pattern', 'run'])
    const registry: object = new HookRegistry()
    expect(names.filter(name => typeof (registry as Record<string, unknown>)[toCamel(name)] !== 'function')).toEqual([])
  })
})
