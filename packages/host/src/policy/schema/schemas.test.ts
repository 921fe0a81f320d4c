// The schemas that editors use say what the readers say: of every policy, test file and configuration that is shipped, and of mistakes.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { loadConfig } from '@belay/core/dialect'
import { parseGenesis } from '@belay/core/policy'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { parse as parseToml } from 'smol-toml'
import { describe, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { TYPICAL_MISTAKES } from '../../command/fixtures/typical-mistakes.ts'
import { parseConfig } from '../../config/config-file.ts'
import { genesisChecks } from '../../config/genesis-checks.ts'
import { renderPolicy } from '../../config/genesis-template.ts'
import { ALL_STACKS } from '../../config/project-stack.ts'
import { renderCases } from '../case/case-template.ts'
import { SCHEMAS, type SchemaName, schemaText } from './schemas.ts'

const ajv = new Ajv2020({ allErrors: true, strict: false })
const validators = Object.fromEntries(Object.entries(SCHEMAS).map(([name, schema]) => [name, ajv.compile({ ...schema() })]))

/** What the schema says against it; null: nothing. */
function complaint(name: SchemaName, data: unknown): string | null {
  const validate = validators[name]
  return validate?.(data) === true ? null : ajv.errorsText(validate?.errors ?? [])
}

const root = new URL('../../../../../', import.meta.url)
const shipped = readdirSync(new URL('policies/', root))
const text = (path: string) => readFileSync(new URL(path, root), 'utf8')
const genesisFixtures = ['prd.key', 'tiers-1.0.key', 'operations-1.0.key']

test.each(Object.keys(SCHEMAS) as SchemaName[])('the package ships %s.json as it is made', name => {
  const file = new URL(`packages/host/schema/${name}.json`, root)
  if (process.env.BELAY_RECORD === 'schemas') {
    mkdirSync(new URL('.', file), { recursive: true })
    writeFileSync(file, schemaText(name))
  }
  expect(readFileSync(file, 'utf8')).toBe(schemaText(name))
})

describe('what is good is good for the schema', () => {
  test.each([
    ...shipped.map(name => [`policies/${name}`, name.endsWith('.key') ? 'genesis' : 'test', text(`policies/${name}`)] as const),
    ...genesisFixtures.map(name => [name, 'genesis', text(`packages/core/src/policy/genesis/fixtures/${name}`)] as const),
    ['the first policy', 'genesis', renderPolicy(ALL_STACKS)] as const,
    ['its tests', 'test', renderCases()] as const,
  ])('%s', (_title, name, content) => {
    expect(complaint(name, parseYaml(content))).toBe(null)
  })
})

/** What the text says, not how it is built: only the readers know. */
const NOT_STRUCTURE = new Set([
  'no version',
  'a rule that is not closed',
  'a tool with a slip',
  'a tool that nobody has',
  'an actor with a slip',
  'an actor without agent:',
  'an agent with a slip',
  'an id twice',
  'an event with a slip',
  'a matcher that is not closed',
  '= in a condition',
  'a variable that is none',
  'a field that is none',
  'and in a condition',
  'an open quote in a condition',
  'a setting that a guardrail has not',
  'an example that the rule does not match',
])

describe('a typical mistake', () => {
  test.each(TYPICAL_MISTAKES.map(([title, content]) => [title, content] as const))('%s', (title, content) => {
    let data: unknown
    try {
      data = parseYaml(content)
    } catch {
      // No YAML at all: an editor says so without any schema.
      expect(parseGenesis(content, 'x.key', genesisChecks).ok).toBe(false)
      return
    }
    expect([title, complaint('genesis', data) === null]).toEqual([title, NOT_STRUCTURE.has(title)])
  })
})

describe('config.toml', () => {
  const agree = (content: string): readonly [boolean, boolean] => [
    parseConfig(content, 'config.toml').ok,
    complaint('config', parseToml(content)) === null,
  ]

  test.each([
    'port = 4711\nperson = "ann"',
    '[retention]\nbodies_days = 3',
    '[hooks]\nmodify_from = "policy"\ndisable_all_hooks = true',
    '[agents.claude-code]\nactor = "executor"\nhold_ms = 100',
    '[approvals]\nexpiry = "30m"\nnotify = "desktop"',
    '[llm]\nprovider = "x"\ndaily_budget = 2.5',
    '[http_hooks]\nallow = ["10.0.0.1"]',
    '[statusline]\ncommand = "x"',
  ])('%j is good for both', content => {
    expect(agree(content)).toEqual([true, true])
  })

  test.each([
    'port = 0',
    'port = "4711"',
    'prot = 4711',
    'telemetry = true',
    'person = ""',
    '[retention]\nbody_days = 3',
    '[retention]\nbodies_days = 0',
    '[hooks]\nmodify_from = "all"',
    '[agents.claud-code]\nhold_ms = 1',
    '[agents.claude-code]\nhold_ms = -1',
    '[approvals]\nnotify = "mail"',
    '[llm]\ndaily_budget = "much"',
    '[http_hooks]\nallow = "10.0.0.1"',
    'statusline = "x"',
  ])('%j is wrong for both', content => {
    expect(agree(content)).toEqual([false, false])
  })
})

describe('hooks.toml', () => {
  const example = /```toml\n([\s\S]*?)```/.exec(text('docs/reference/hooks-toml.md'))?.[1] ?? ''

  test('the example of the documents is good', () => {
    expect(complaint('hooks', parseToml(example))).toBe(null)
  })

  test.each([
    ['a table with a slip', '[[hoks]]\nevent = "Stop"'],
    ['no event', '[[hooks]]\n[hooks.shell]\ncommand = "x"'],
    ['an event that is none', '[[hooks]]\nevent = "PreToolUsed"\n[hooks.shell]\ncommand = "x"'],
    ['no time', '[[hooks]]\nevent = "Stop"\ntimeout_sec = 0\n[hooks.shell]\ncommand = "x"'],
    ['a fail that is none', '[[hooks]]\nevent = "Stop"\nfail = "maybe"\n[hooks.shell]\ncommand = "x"'],
    ['an address that is none', '[[hooks]]\nevent = "Stop"\n[hooks.webhook]\nurl = "x"'],
    ['a method that is none', '[[hooks]]\nevent = "Stop"\n[hooks.webhook]\nurl = "https://x"\nmethod = "Get"'],
  ])('%s is wrong', (_title, content) => {
    const { diagnostics } = loadConfig(content, { path: '.belay/hooks.toml' })
    expect([complaint('hooks', parseToml(content)) === null, diagnostics.some(({ severity }) => severity === 'error')]).toEqual([
      false,
      true,
    ])
  })
})
