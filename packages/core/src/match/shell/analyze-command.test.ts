import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { analyzeCommand } from './analyze-command.ts'
import { baseName } from './word.ts'

const context = { cwd: '/repo', root: '/repo', home: '/home/dev' }

interface Case {
  readonly id: string
  readonly tool: string
  readonly input: { readonly command?: unknown }
  readonly see?: readonly string[]
  readonly writes?: readonly string[]
}

const cases = readFileSync(new URL('../../policy/fixtures/permission-cases.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter(line => line !== '')
  .map(line => JSON.parse(line) as Case)
  .filter(item => item.tool === 'Bash' && typeof item.input.command === 'string')

const seen = cases.filter(item => item.see)
const written = cases.filter(item => item.writes)

test.each(seen.map(item => [item.id, item] as const))('%s finds every program', (_, item) => {
  const names = analyzeCommand(String(item.input.command), context).units.map(unit => baseName(unit.words[0]?.value ?? ''))
  const missing = [...(item.see ?? [])]
  for (const name of names) if (missing.includes(name)) missing.splice(missing.indexOf(name), 1)
  expect(missing).toEqual([])
})

test.each(written.map(item => [item.id, item] as const))('%s finds every written file', (_, item) => {
  const { effects } = analyzeCommand(String(item.input.command), context)
  const paths = effects.filter(effect => effect.access === 'write').map(effect => effect.path.value)
  expect(paths).toEqual(expect.arrayContaining([...(item.writes ?? [])]))
})
