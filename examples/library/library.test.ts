import { describe, expect, test } from 'vitest'
import { type AuditLine, createAuditedHooks } from './audit-log.ts'
import { hooks as reads } from './auto-approve-reads.ts'
import { hooks as dangerous } from './block-dangerous-commands.ts'
import { hooks as messages } from './filter-messages.ts'
import { hooks as paths } from './rewrite-paths.ts'

describe('block dangerous commands', () => {
  test.each([
    ['ls', 'none'],
    ['rm -rf build', 'deny'],
    ['cd x && rm  -rf y', 'deny'],
    ["r''m -rf y", 'deny'],
  ])('%s: %s', async (command, decision) => {
    const { verdict } = await dangerous.fire('PreToolUse', { toolName: 'Bash', toolInput: { command } })
    expect(verdict.decision).toBe(decision)
  })
})

test('rewrite paths', async () => {
  const { event, verdict, rewrites } = await paths.fire('PreToolUse', { toolName: 'Read', toolInput: { file_path: '/a.txt' } })
  expect([event.fields.toolInput, verdict.decision, rewrites.length]).toEqual([{ file_path: '/mnt/remote/a.txt' }, 'allow', 1])
})

test('filter messages', async () => {
  const history = [
    { role: 'user', text: 'hello' },
    { role: 'user', text: 'my key is sk-abcdefgh1234' },
  ]
  await messages.fire('PreToolUse', { toolName: 'Bash', toolInput: {} }, { messages: history })
  expect(history).toEqual([{ role: 'user', text: 'hello' }])
})

test.each([
  ['Grep', 'allow'],
  ['Bash', 'none'],
])('auto-approve reads: %s is %s', async (toolName, decision) => {
  expect((await reads.fire('PreToolUse', { toolName, toolInput: {} })).verdict.decision).toBe(decision)
})

test('audit log', async () => {
  const lines: AuditLine[] = []
  const hooks = createAuditedHooks(async line => void lines.push(line))
  const { background } = await hooks.fire('PostToolUse', { toolName: 'Bash', toolResponse: { stdout: 'ok' } }, { sessionId: 's1' })
  await Promise.all(background)
  expect(lines).toEqual([{ session: 's1', tool: 'Bash', result: { stdout: 'ok' } }])
})
