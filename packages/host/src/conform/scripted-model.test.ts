// The model as agents meet it, over HTTP, in each of their four ways.
import { afterEach, describe, expect, test } from 'vitest'
import type { OfferedTool } from './model-format.ts'
import { chooseTool, SUB_MARK, type Wish } from './offered-tool.ts'
import { type ScriptedModel, startScriptedModel } from './scripted-model.ts'

let model: ScriptedModel | null = null
afterEach(async () => {
  await model?.close()
  model = null
})

const schema = { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] }
const SHELL = { name: 'bash', description: 'runs' }

const DOORS = {
  messages: { path: '/v1/messages', body: { stream: true, tools: [{ ...SHELL, input_schema: schema }] } },
  responses: { path: '/v1/responses', body: { stream: true, tools: [{ type: 'function', ...SHELL, parameters: schema }] } },
  gemini: {
    path: '/v1beta/models/x:streamGenerateContent',
    body: { tools: [{ functionDeclarations: [{ ...SHELL, parameters: schema }] }] },
  },
  chat: { path: '/v1/chat/completions', body: { stream: true, tools: [{ type: 'function', function: { ...SHELL, parameters: schema } }] } },
}

const ask = async ({ url }: ScriptedModel, path: string, body: unknown): Promise<string> =>
  (await fetch(`${url}${path}`, { method: 'POST', body: JSON.stringify(body) })).text()

describe.each(Object.entries(DOORS))('%s', (_name, { path, body }) => {
  test('several calls at once, then a text, as a stream and whole', async () => {
    model = await startScriptedModel({
      steps: [
        { id: 'both', calls: [{ shell: 'echo one' }, { shell: 'echo two' }] },
        { id: 'none', calls: [{ search: 'x', in: 'y' }] },
        { text: 'THE-END' },
      ],
    })
    const first = await ask(model, path, body)
    expect([first.includes('echo one'), first.includes('echo two'), first.includes('THE-END')]).toEqual([true, true, false])
    // A step for which there is no tool is passed over.
    expect(await ask(model, path, body)).toContain('THE-END')
    const whole = await ask(model, path.replace('streamG', 'g'), { ...body, stream: false })
    expect(whole).toContain('THE-END')
    expect([[...model.reached], [...model.lacking], model.requests.length]).toEqual([['both'], ['none'], 3])
  })

  test('what offers no tools is no turn', async () => {
    model = await startScriptedModel({ steps: [{ calls: [{ shell: 'echo one' }] }, { text: 'end' }] })
    expect(await ask(model, path, { stream: true })).not.toContain('echo one')
    expect(await ask(model, path, body)).toContain('echo one')
  })

  test('a request for a summary takes as much as the talk did', async () => {
    model = await startScriptedModel({ steps: [{ calls: [{ shell: 'echo one' }], tokens: 77_001 }, { text: 'end' }] })
    const isFull = async (request: unknown) => model !== null && (await ask(model, path, request)).includes('77001')
    expect([await isFull(body), await isFull({ stream: true }), await isFull(body), await isFull({ stream: true })]).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  test('a sub-agent has steps of its own', async () => {
    model = await startScriptedModel({ steps: [{ text: 'MAIN' }], sub: [{ text: 'BELOW' }] })
    expect(await ask(model, path, { ...body, messages: [{ role: 'user', content: `${SUB_MARK} do it` }] })).toContain('BELOW')
    expect(await ask(model, path, { ...body, messages: [{ role: 'user', content: 'do it' }] })).toContain('MAIN')
  })
})

test('what must happen before a step and does not is no step', async () => {
  model = await startScriptedModel({
    steps: [{ id: 'broken', text: 'said', before: () => Promise.reject(new Error('NOT-DONE')) }, { text: 'end' }],
  })
  expect(await ask(model, DOORS.chat.path, DOORS.chat.body)).toContain('NOT-DONE')
  expect([...model.reached]).toEqual([])
})

const tool = (name: string, fields: string, required = ''): OfferedTool => ({
  name,
  fields: fields.split(' ').filter(Boolean),
  required: required.split(' ').filter(Boolean),
})

const CHOICES: readonly (readonly [Wish, OfferedTool, unknown])[] = [
  [{ shell: 'ls' }, tool('Bash', 'command description'), { name: 'Bash', input: { command: 'ls', description: 'scripted' } }],
  [{ shell: 'ls' }, tool('exec_command', 'cmd'), { name: 'exec_command', input: { cmd: 'ls' } }],
  [{ shell: 'ls' }, tool('shell', 'command'), { name: 'shell', input: { command: ['bash', '-lc', 'ls'] } }],
  [{ write: 'a', content: 'b' }, tool('Write', 'file_path content'), { name: 'Write', input: { file_path: 'a', content: 'b' } }],
  [{ write: 'a', content: 'b' }, tool('create', 'path file_text'), { name: 'create', input: { path: 'a', file_text: 'b' } }],
  [{ write: 'a', content: 'b' }, tool('write', 'filePath content'), { name: 'write', input: { filePath: 'a', content: 'b' } }],
  [{ read: 'a' }, tool('read_file', 'target_file offset'), { name: 'read_file', input: { target_file: 'a' } }],
  [{ search: 'x', in: 'a' }, tool('grep', 'pattern paths'), { name: 'grep', input: { pattern: 'x', paths: 'a' } }],
  [
    { search: 'x', in: 'a' },
    tool('grep_search', 'pattern dir_path include_pattern'),
    { name: 'grep_search', input: { pattern: 'x', include_pattern: 'a' } },
  ],
  [
    { task: 'go', type: 'general' },
    tool('task', 'description prompt subagent_type', 'description prompt'),
    { name: 'task', input: { description: 'scripted', prompt: `${SUB_MARK} go`, subagent_type: 'general' } },
  ],
  [
    { task: 'go', type: null },
    tool('spawn_agent', 'agent_type message', 'message'),
    { name: 'spawn_agent', input: { message: `${SUB_MARK} go` } },
  ],
  [{ mcp: 'send', server: 'demo', input: {} }, tool('mcp__demo__send', 'to'), { name: 'mcp__demo__send', input: {} }],
  [{ mcp: 'send', server: 'demo', input: {} }, tool('demo-send', 'to'), { name: 'demo-send', input: {} }],
  [
    { mcp: 'send', server: 'demo', input: {} },
    { ...tool('send', 'to'), group: 'mcp__demo' },
    { name: 'send', group: 'mcp__demo', input: {} },
  ],
  [
    { mcp: 'send', server: 'demo', input: { to: 'x' } },
    tool('use_tool', 'tool_name tool_input'),
    { name: 'use_tool', input: { tool_name: 'demo__send', tool_input: { to: 'x' } } },
  ],
  [{ mcp: 'send', server: 'demo', input: {} }, tool('resend', 'to'), null],
  [{ read: 'a' }, tool('Write', 'file_path content'), null],
]

test.each(CHOICES)('%j with %j', (wish, offered, use) => {
  expect(chooseTool(wish, [tool('other', 'command'), offered])).toEqual(use)
})
