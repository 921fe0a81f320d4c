// Every hook and rule of real configurations is taken over whole or listed as not taken over, and what is taken over fires where it did.
import { readFileSync } from 'node:fs'
import type { AgentId } from '@belay/core/adapter'
import { type LoadedHook, loadConfig } from '@belay/core/dialect'
import { compileMatcher } from '@belay/core/match'
import { parseGenesis } from '@belay/core/policy'
import { expect, test } from 'vitest'
import { isOurCommand } from '../agent/hook-command.ts'
import { EMPTY_POLICY } from '../config/genesis-edit.ts'
import { importConfig } from './import-config.ts'
import { addImported } from './import-edit.ts'

interface Row {
  readonly file: string
  readonly path: string
  readonly agent: string
}

const folder = new URL('../../../../../shared/corpus/configs/', import.meta.url)
const { files }: { files: readonly Row[] } = JSON.parse(readFileSync(new URL('index.json', folder), 'utf8'))

const AGENTS: Readonly<Record<string, AgentId>> = {
  claude: 'claude-code',
  factory: 'droid',
  codex: 'codex',
  copilot: 'copilot',
  cursor: 'cursor',
  gemini: 'gemini',
  kiro: 'kiro',
  opencode: 'opencode',
  qwen: 'qwen',
  windsurf: 'windsurf',
}

const rows = files.flatMap(({ file, path }) => {
  const agent = AGENTS[file.split('-')[0] ?? '']
  return agent === undefined ? [] : [{ file, path, agent }]
})

/** What decides whether and how a hook runs. */
function essence({ handler, timeoutMs, async: isAsync, once, fail }: NonNullable<Extract<LoadedHook, { state: 'active' }>['definition']>) {
  const given = handler.type === 'command' ? handler : null
  const { command, args, env, cwd, shell, dialect } = given ?? {}
  return { command, args, env, cwd, shell, dialect, timeoutMs, isAsync: isAsync === true, once: once === true, fail: fail ?? 'open' }
}

const TOOLS = ['Bash', 'Read', 'Write', 'Edit', 'MultiEdit', 'NotebookEdit', 'Task', 'Glob', 'WebFetch', 'mcp__github__get_issue', 'Xyz']

const firesOn = (matcher: Parameters<typeof compileMatcher>[0]) => {
  const { test: fires } = compileMatcher(matcher)
  return TOOLS.filter(value => fires({ value }))
}

test('there are hooks of ten agents', () => {
  expect(new Set(rows.map(({ agent }) => agent)).size).toBe(10)
})

test.each(rows)('$file', ({ file, path, agent }) => {
  const text = readFileSync(new URL(file, folder), 'utf8')
  const config = loadConfig(text, { path })
  const imported = importConfig(agent, [{ path, text }])
  const foreign = config.hooks.filter(hook => !isOurCommand(hook.text))
  const broken = config.parse === 'invalid' ? 1 : 0
  expect(imported.hooks.length + imported.rules.length + imported.skipped.length).toBe(foreign.length + config.permissions.length + broken)
  expect(imported.skipped.filter(({ why, what }) => why === '' || what === '')).toEqual([])

  const edited = addImported(EMPTY_POLICY, imported)
  if (!edited.ok) throw new Error(edited.why)
  const parsed = parseGenesis(edited.text, 'genesis.key')
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors))

  // One that is there twice is taken over once.
  const own = foreign.flatMap(hook => (hook.state === 'active' && hook.definition !== null ? [hook.definition] : []))
  expect(parsed.policy.hooks.length).toBe(edited.hooks)
  for (const hook of parsed.policy.hooks) {
    const wanted = JSON.stringify(essence(hook))
    const same = own.filter(each => JSON.stringify(essence(each)) === wanted && each.event === hook.event)
    expect(same.length, `${wanted} is of no hook of ${file}`).toBeGreaterThan(0)
    if (typeof hook.matcher === 'object' && hook.matcher !== null && 'text' in hook.matcher && hook.matcher.text.includes('(')) continue
    const places = same.map(each => firesOn(each.matcher))
    expect(places).toContainEqual(firesOn(hook.matcher))
  }
})
