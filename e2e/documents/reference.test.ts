// The pages of docs/reference against the code: every method, field, answer, key and function is in its page, and no other.
import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import * as core from '@belay/core'
import * as policy from '@belay/core/policy'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ENVELOPE_FIELDS, SHARED_FIELDS } from '../../packages/core/src/event/common-fields.ts'
import * as aiSdk from '../../packages/core/src/host/ai-sdk.ts'
import * as claudeAgentSdk from '../../packages/core/src/host/claude-agent-sdk.ts'
import * as langchain from '../../packages/core/src/host/langchain.ts'
import * as openaiAgents from '../../packages/core/src/host/openai-agents.ts'
import { parseConfig } from '../../packages/host/src/config/config-file.ts'
import { runStateDaemon, type StateDaemon } from '../../packages/host/src/method/fixtures/state-daemon.ts'
import { askDaemon } from '../../packages/host/src/wire/daemon-client.ts'

const read = (name: string) => readFileSync(new URL(`../../docs/reference/${name}.md`, import.meta.url), 'utf8')

/** The first cells of a table's rows, and the rest of each row. */
function tableOf(text: string, head: string): ReadonlyMap<string, readonly string[]> {
  const at = text.indexOf(`| ${head} |`)
  const lines = at === -1 ? [] : text.slice(at).split('\n\n')[0]?.trim().split('\n').slice(2)
  const rows = (lines ?? []).map(line => line.split(/(?<!\\)\|/).map(cell => cell.trim().replaceAll('\\|', '|')))
  return new Map(rows.map(([, name = '', ...rest]) => [name.replaceAll('`', ''), rest]))
}

const namesOf = (text: string, head: string) => [...tableOf(text, head).keys()]
const codeOf = (cell = '') => /^`(.*)`$/.exec(cell)?.[1] ?? ''
/** What the code offers instead of something that there is not. */
const offered = (text = '') => (/use one of (.*?)\)?$/.exec(text)?.[1] ?? '').split(', ')

describe('hooks.md', () => {
  const page = read('hooks')
  const sections = page.split(/^### /m).slice(1)
  let daemon: StateDaemon
  beforeAll(async () => {
    daemon = await runStateDaemon()
  })
  afterAll(() => daemon.stop())

  const PAYLOADS: Readonly<Record<string, object>> = {
    preToolUse: { tool_name: 'X', tool_input: {} },
    postToolUse: { tool_name: 'X' },
    postToolUseFailure: { tool_name: 'X' },
    permissionRequest: { tool_name: 'X', tool_input: {} },
    userPrompt: { prompt: 'go' },
  }
  const eventOf = (method: string) => (method === 'userPrompt' ? 'UserPromptSubmit' : method.replace(/^./, letter => letter.toUpperCase()))

  test('names every method, its fields and its answers', async () => {
    const described = await askDaemon({ socket: daemon.socket, method: 'GET', path: '/openapi.json' })
    const methods = new Set([...JSON.stringify(described).matchAll(/"hooks\.(\w+)"/g)].map(([, name]) => name))
    // These two stand for no event.
    const others = [...page.matchAll(/^\| `hooks\.(\w+)` \|/gm)].map(([, name]) => name)
    expect(others).toEqual(['running', 'cancel'])
    expect(new Set([...sections.map(text => /^hooks\.(\w+)/.exec(text)?.[1]), ...others])).toEqual(methods)
    const common = namesOf(page, 'answer')
    for (const text of sections) {
      const method = /^hooks\.(\w+)/.exec(text)?.[1] ?? ''
      const fields = core.findEvent(eventOf(method))?.fields ?? {}
      const told = [...tableOf(text, 'field')].map(([name, [kind]]) => [name, kind])
      expect([method, Object.fromEntries(told)]).toEqual([method, fields])
      const answer = await daemon.as('reader').hook(method, { ...PAYLOADS[method] })
      const own = Object.keys(answer).filter(name => !common.includes(name))
      expect([method, namesOf(text, 'answer').sort()]).toEqual([method, own.sort()])
    }
  })

  test('names every header', async () => {
    const answer = await askDaemon({ socket: daemon.socket, method: 'GET', path: '/openapi.json' })
    const { paths } = (answer.kind === 'answer' ? answer.value : {}) as {
      paths: Record<string, { post: { parameters: { name: string }[] } }>
    }
    expect(namesOf(page, 'header').sort()).toEqual(paths['/v1/rpc']?.post.parameters.map(({ name }) => name).sort())
  })

  test('names the fields and answers that all of them have', async () => {
    const told = [...tableOf(page, 'field')].map(([name, [kind]]) => [name, kind])
    expect(Object.fromEntries(told)).toEqual({ ...ENVELOPE_FIELDS, ...SHARED_FIELDS })
    const answers = await Promise.all(['stop', 'userPrompt'].map(method => daemon.as('reader').hook(method, { ...PAYLOADS[method] })))
    const shared = Object.keys(answers[0]).filter(name => name in answers[1] && !['effortId', 'sessionId'].includes(name))
    expect(namesOf(page, 'answer').sort()).toEqual(shared.sort())
  })
})

describe('hooks-toml.md', () => {
  const page = read('hooks-toml')
  const sectionOf = (heading: string) => page.split(/^## /m).find(text => text.startsWith(heading)) ?? ''
  const base = '[[hooks]]\nevent = "PreToolUse"\n'
  const shell = '[hooks.shell]\ncommand = "x"\n'
  const webhook = '[hooks.webhook]\nurl = "https://hooks.example.com/"\n'
  const load = (text: string) => core.loadHooks(text, 'toml')

  test('names every key of a hook', () => {
    const [found] = load(`${base}zzzzzzzz = 1\n${shell}`).diagnostics
    const keys = offered(found?.remedy).filter(key => key !== 'shell' && key !== 'webhook')
    // `enabled` is known to all dialects.
    expect(namesOf(sectionOf('Of a hook'), 'key').sort()).toEqual([...keys, 'enabled'].sort())
  })

  const INNER: Readonly<Record<string, readonly [string, string, string]>> = {
    'Of a hook': [base, '', shell],
    'A command': [base, shell, ''],
    'A webhook': [base, webhook, ''],
  }
  const rows = Object.entries(INNER).flatMap(([heading, [before, inner, after]]) =>
    [...tableOf(sectionOf(heading), 'key')].map(([key, [example]]) => ({ heading, key, example: codeOf(example), before, inner, after })),
  )

  test.each(rows)('$heading: $key means something', ({ key, example, before, inner, after }) => {
    // An async hook alone has a limit of its own.
    const context = key === 'async_timeout' ? `${before}async_mode = true\n` : before
    const lines = `${context}${inner}`
      .split('\n')
      .filter(line => !line.startsWith(`${key} = `))
      .join('\n')
    const text = `${lines}${key} = ${example}\n${after}`
    const [given, without] = [load(text), load(`${context}${inner}${after}`)]
    expect([text, given.diagnostics.filter(({ severity }) => severity === 'error')]).toEqual([text, []])
    expect(JSON.stringify(given.hooks)).not.toBe(JSON.stringify(without.hooks))
  })

  test('names the switches of the file, and its example is good', () => {
    const [unknown] = load('zzzzzzzz = 1\n').diagnostics
    const keys = unknown?.message.split('; use one of ')[1]?.split(', ') ?? []
    const rows = tableOf(sectionOf('Of the file'), 'key')
    expect([...rows.keys()].sort()).toEqual(keys.sort())
    for (const [key, [example]] of rows) expect([key, load(`${key} = ${codeOf(example)}\n`).diagnostics]).toEqual([key, []])
    const switches = keys.filter(key => key.endsWith('hooks') || key.endsWith('only')).filter(key => key !== 'hooks')
    for (const key of switches) expect(Object.values(load(`${key} = true\n`).settings)).toContain(true)
    expect(switches).toHaveLength(2)
    const example = /```toml\n([\s\S]*?)```/.exec(page)?.[1] ?? ''
    expect([load(example).hooks.length, load(example).diagnostics]).toEqual([2, []])
  })
})

describe('config-toml.md', () => {
  const rows = tableOf(read('config-toml'), 'key')
  const problemOf = (text: string) => {
    const parsed = parseConfig(text, 'config.toml')
    return parsed.ok ? '' : (parsed.errors[0]?.remedy ?? '')
  }

  test('names every key', () => {
    // `telemetry` is known only to be refused.
    const top = offered(problemOf('zzzzzzzz = 1\n')).filter(name => name !== 'telemetry')
    const keys = top.flatMap(name => {
      const table = name === 'agents' ? 'agents.codex' : name
      const inner = problemOf(`[${table}]\nzzzzzzzz = 1\n`)
      return inner === '' ? [name] : offered(inner).map(key => `${name === 'agents' ? 'agents.<id>' : name}.${key}`)
    })
    expect([...rows.keys()].sort()).toEqual(keys.sort())
  })

  test('every example is read', () => {
    for (const [key, [example]] of rows) {
      const path = key.replace('<id>', 'codex').split('.')
      const [name, table] = [path.pop() ?? '', path.join('.')]
      const beside = key === 'llm.input_price' ? 'output_price = 1\n' : ''
      const parsed = parseConfig(`${table === '' ? '' : `[${table}]\n`}${name} = ${codeOf(example)}\n${beside}`, 'config.toml')
      expect([key, parsed.ok, parsed.ok && Object.keys(parsed.config).length]).toEqual([key, true, 1])
    }
  })
})

describe('in-process.md', () => {
  const page = read('in-process')

  test('names every function of @belay/core, and no other', () => {
    const named = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
    expect(named.sort()).toEqual(Object.keys(core).sort())
  })

  test('names what the ready hosts give', () => {
    const hosts = { 'ai-sdk': aiSdk, 'openai-agents': openaiAgents, langchain, 'claude-agent-sdk': claudeAgentSdk }
    const given = Object.entries(hosts).map(([name, module]) => [`@belay/core/host/${name}`, Object.keys(module).sort()])
    const named = [...tableOf(page, 'import')].map(([path, [names = '']]) => [path, names.replaceAll('`', '').split(', ').sort()])
    expect(named).toEqual(given)
  })

  const examples = [...page.matchAll(/^## (.*)\n\n```ts\n([\s\S]*?)```/gm)].map(([, title = '', code = '']) => ({ title, code }))
  const MODULES: Readonly<Record<string, object>> = { '@belay/core': core, '@belay/core/policy': policy }

  test.each(examples)('the example of "$title" prints what it says', async ({ code }) => {
    const printed: string[] = []
    const console = {
      log: (...values: unknown[]) => printed.push(values.map(value => (typeof value === 'string' ? value : inspect(value))).join(' ')),
    }
    const body = code.replace(/^import (\{.*\}) from '(.*)'$/gm, "const $1 = modules['$2']")
    const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor
    await new AsyncFunction('modules', 'console', body)(MODULES, console)
    expect(printed).toEqual([...code.matchAll(/^\/\/ -> (.*)$/gm)].map(([, text]) => text))
  })
})
