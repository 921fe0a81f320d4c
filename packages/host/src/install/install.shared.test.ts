// Every real configuration of the corpus: install and uninstall give back its bytes, and also when somebody wrote to it in between.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'jsonc-parser'
import { afterAll, expect, test } from 'vitest'
import { findTarget } from '../agent/agents.ts'
import { isOurCommand } from '../agent/hook-command.ts'
import { addHooks, removeHooks } from './hook-edit.ts'
import { install, uninstall } from './install.ts'
import { parseJsonText } from './json-text.ts'

const configs = fileURLToPath(new URL('../../../../../shared/corpus/configs/', import.meta.url))
const AGENTS: Readonly<Record<string, string>> = {
  claude: 'claude-code',
  gemini: 'gemini',
  codex: 'codex',
  cursor: 'cursor',
  qwen: 'qwen',
  windsurf: 'windsurf',
  factory: 'droid',
}
const files = existsSync(configs)
  ? readdirSync(configs).filter(name => name.endsWith('.json') && (AGENTS[name.replace(/-.*/, '')] ?? null) !== null)
  : []
const folder = mkdtempSync(join(tmpdir(), 'belay-corpus-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const suitable = files.filter(name => {
  const parsed = parseJsonText(readFileSync(join(configs, name), 'utf8').replace(/^\uFEFF/, ''))
  return parsed.ok && parsed.root.type === 'object'
})

test('the corpus has something to hold against', () => {
  expect(suitable.length).toBeGreaterThan(200)
})

test.each(suitable)('%s', name => {
  const target = findTarget(AGENTS[name.replace(/-.*/, '')] ?? '')
  if (target === null) throw new Error(name)
  const place = { scope: 'user', env: {}, userHome: join(folder, name), projectRoot: folder, shim: '/h/bin/belay-hook' } as const
  const [file] = target.files(place)
  if (file?.kind !== 'shared') throw new Error(name)
  const original = readFileSync(join(configs, name))
  mkdirSync(dirname(file.path), { recursive: true })
  writeFileSync(file.path, original)
  const installed = install({ target, place, home: join(folder, 'belay'), dryRun: false })
  if (!installed.ok) {
    // A `hooks` that is not an object of lists is not a file that its agent would run hooks from.
    expect(installed.why).toMatch(/is not an? (list|object)/)
    return
  }
  uninstall({ target, place, home: join(folder, 'belay'), dryRun: false })
  expect(readFileSync(file.path).equals(original)).toBe(true)
  const text = original.toString('utf8')
  const before = parse(text.replace(/^\uFEFF/, ''))
  const added = addHooks(text, file.hooks)
  const removed = added.ok ? removeHooks(added.text, isOurCommand, { original: text }) : added
  expect(removed.ok && parse(removed.text.replace(/^\uFEFF/, ''))).toEqual({ ...file.hooks.beside, ...before })
})
