import { expect, test } from 'vitest'
import { guarded } from './fixtures/ports.ts'

const cases: readonly [error: string, hint: RegExp][] = [
  ["ENOENT: no such file or directory, open 'x'", /does not exist/],
  ['String to replace not found in file.', /copy the text exactly/],
  ['Found 3 matches of the string to replace', /more than once/],
  ['File has not been read yet.', /Read the file first/],
  ['bash: foo: command not found', /not installed/],
  ['! [rejected] main -> main (non-fast-forward)', /do not force/],
  ['listen EADDRINUSE: address already in use :::3000', /port is taken/],
  ['HTTP 429 Too Many Requests', /Wait/],
  ['FATAL ERROR: JavaScript heap out of memory', /less data/],
  ["src/a.ts(3,1): error TS2322: Type 'a' is not assignable to type 'b'", /first error/],
]

test.each(cases)('%s', async (error, hint) => {
  const { context } = await guarded({ failure_hints: {} }).fire('PostToolUseFailure', { toolName: 'Bash', error })
  expect(context).toEqual([expect.stringMatching(hint)])
})

test('an unknown failure gets no hint', async () => {
  expect((await guarded({ failure_hints: {} }).fire('PostToolUseFailure', { toolName: 'Bash', error: 'hm' })).context).toEqual([])
})

test('the same failure again and again: change course', async () => {
  const hooks = guarded({ failure_hints: { repeats: 2 } })
  await hooks.fire('PostToolUseFailure', { toolName: 'Bash', error: 'hm' })
  const { context } = await hooks.fire('PostToolUseFailure', { toolName: 'Bash', error: 'hm' })
  expect(context).toEqual(['Bash failed in this way 2 times now. Try something else.'])
})

test('sessions do not count together', async () => {
  const hooks = guarded({ failure_hints: { repeats: 2 } })
  await hooks.fire('PostToolUseFailure', { toolName: 'Bash', error: 'hm' }, { sessionId: 'a' })
  expect((await hooks.fire('PostToolUseFailure', { toolName: 'Bash', error: 'hm' }, { sessionId: 'b' })).context).toEqual([])
})

test('hints of the project come first', async () => {
  const hooks = guarded({ failure_hints: { hints: [{ tool: 'Bash', pattern: 'ENOENT.*config', hint: 'Run make config.' }] } })
  expect((await hooks.fire('PostToolUseFailure', { toolName: 'Bash', error: 'ENOENT config.json' })).context).toEqual(['Run make config.'])
})

test('a result that is marked as an error is a failure too', async () => {
  const { context } = await guarded({ failure_hints: {} }).fire('PostToolUse', {
    toolName: 'Bash',
    toolResponse: { is_error: true, error: 'ENOSPC' },
  })
  expect(context).toEqual([expect.stringMatching(/disk is full/)])
})
