import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Approval, createHooks, deny, type Hooks } from '@belay/core'
import { MockLanguageModelV3 } from 'ai/test'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runAgent } from './agent-loop.ts'

let cwd: string
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'belay-loop-'))
  writeFileSync(join(cwd, 'note.txt'), 'the milk is sour')
})
afterEach(() => rmSync(cwd, { recursive: true }))

type Turn = string | { readonly tool: string; readonly input: object }

/** A model that follows a script, one line a turn. */
function scripted(turns: readonly Turn[]) {
  let at = 0
  return new MockLanguageModelV3({
    doGenerate: async () => {
      const turn = turns[at] ?? 'done'
      at += 1
      const usage = {
        inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 1, text: 1, reasoning: 0 },
      }
      if (typeof turn === 'string')
        return { content: [{ type: 'text', text: turn }], finishReason: { unified: 'stop', raw: undefined }, usage, warnings: [] }
      const call = { type: 'tool-call' as const, toolCallId: `c${at}`, toolName: turn.tool, input: JSON.stringify(turn.input) }
      return { content: [call], finishReason: { unified: 'tool-calls', raw: undefined }, usage, warnings: [] }
    },
  })
}

async function run(turns: readonly Turn[], approval: Approval = { decision: 'deny' }, hooks?: Hooks) {
  const asked: string[] = []
  const approve = ({ input }: { readonly input: object }) => {
    asked.push(JSON.stringify(input))
    return approval
  }
  const { answer, messages } = await runAgent('go', { model: scripted(turns), cwd, approve, ...(hooks === undefined ? {} : { hooks }) })
  const tools = messages.flatMap(message => (message.role === 'tool' ? message.content : []))
  const read = tools.map(part => (part.type === 'tool-result' && part.output.type === 'text' ? part.output.value : ''))
  return { answer, read, asked }
}

test('an allowed call runs, and the model reads its output', async () => {
  const { answer, read } = await run([{ tool: 'Read', input: { file_path: 'note.txt' } }, 'The milk is sour.'])
  expect([answer, read]).toEqual(['The milk is sour.', ['the milk is sour']])
})

test('a denied call does not run, and the model tries something else', async () => {
  const { answer, read } = await run([
    { tool: 'Bash', input: { command: 'rm note.txt' } },
    { tool: 'Bash', input: { command: 'echo kept' } },
    'kept it',
  ])
  expect([answer, read, existsSync(join(cwd, 'note.txt'))]).toEqual([
    'kept it',
    [expect.stringMatching(/^Tool denied: Nothing is deleted here\. \(rule Bash\(rm \*\), .*genesis\.key:\d+:\d+\)$/), 'kept\n'],
    true,
  ])
})

test.each([
  ['yes', { decision: 'allow' } as const, true],
  ['no', { decision: 'deny', reason: 'not today' } as const, false],
])('where no rule covers a call a person is asked, who says %s', async (_title, approval, isMade) => {
  const { asked } = await run([{ tool: 'Bash', input: { command: 'touch made' } }, 'done'], approval)
  expect([asked, existsSync(join(cwd, 'made'))]).toEqual([['{"command":"touch made"}'], isMade])
})

test('a failed call comes with a hint', async () => {
  const { read } = await run([{ tool: 'Read', input: { file_path: 'nope.txt' } }, 'ok'])
  expect(read[0]).toMatch(/ENOENT[\s\S]*does not exist/)
})

test('input that cannot work never reaches the tool', async () => {
  const { read } = await run([{ tool: 'Bash', input: { command: '' } }, 'ok'])
  expect(read).toEqual([expect.stringMatching(/^Tool invalid: command/)])
})

test('a stop hook keeps the agent going', async () => {
  const hooks = createHooks({}, { cwd })
  let times = 0
  hooks.on('Stop', () => {
    times += 1
    return times === 1 ? deny('Check it once more.') : undefined
  })
  expect((await run(['first', 'second'], undefined, hooks)).answer).toBe('second')
})

test('a prompt can be refused', async () => {
  const hooks = createHooks({}, { cwd })
  hooks.on('UserPromptSubmit', () => deny('closed'))
  expect((await run([], undefined, hooks)).answer).toBe('The prompt was refused: closed')
})
