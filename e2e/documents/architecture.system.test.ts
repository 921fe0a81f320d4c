// Use case 1 of the architecture document with the program that it names: a real Python.
import { tmpdir } from 'node:os'
import { createHooks, loadHooks } from '@belay/core'
import { expect, test } from 'vitest'
import { readBlock } from './read-blocks.ts'

test.each([
  ['sudo rm x', 'deny'],
  ['ls', 'none'],
])('use case 1, by Python: %s is %s', async (command, decision) => {
  const { hooks: definitions, diagnostics } = loadHooks(readBlock('architecture', 1069), 'toml')
  expect(diagnostics).toEqual([])
  const hooks = createHooks({}, { cwd: tmpdir() })
  hooks.registry.addAll(definitions)
  const { verdict } = await hooks.fire('PreToolUse', { toolName: 'Bash', toolInput: { command }, toolUseId: 't1' })
  expect(verdict.decision).toBe(decision)
  if (decision === 'deny') expect(verdict).toMatchObject({ reason: 'Dangerous command blocked' })
})
