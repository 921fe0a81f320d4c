import { expect, it } from 'vitest'
import type { CommandHandler } from '../../hook/hook-definition.ts'
import { type CommandLine, toCommandLine } from './command-line.ts'

it.each<[Partial<CommandHandler>, CommandLine]>([
  [{}, { program: 'sh', args: ['-c', 'run ${A}'] }],
  [{ shell: 'sh' }, { program: 'sh', args: ['-c', 'run ${A}'] }],
  [{ shell: 'bash' }, { program: 'bash', args: ['-c', 'run ${A}'] }],
  [{ shell: 'powershell' }, { program: 'pwsh', args: ['-NoProfile', '-NonInteractive', '-Command', 'run ${A}'] }],
  [{ args: [] }, { program: 'run 1', args: [] }],
  [{ args: ['${A}-${B}', '$A', '${toString}'] }, { program: 'run 1', args: ['1-${B}', '$A', '${toString}'] }],
])('%j', (handler, line) => {
  expect(toCommandLine({ type: 'command', dialect: 'settings', command: 'run ${A}', ...handler }, { A: '1' })).toEqual(line)
})
