// Every policy that Belay ships or shows is one that Belay accepts.
import { readdirSync, readFileSync } from 'node:fs'
import { parseGenesis } from '@belay/core/policy'
import { describe, expect, test } from 'vitest'
import { genesisChecks } from './genesis-checks.ts'
import { renderPolicy } from './genesis-template.ts'
import { ALL_STACKS } from './project-stack.ts'

const repo = new URL('../../../../', import.meta.url)

function problemsOf(text: string, file: string): unknown {
  const parsed = parseGenesis(text, file, genesisChecks)
  return parsed.ok ? parsed.warnings : parsed.errors
}

describe('policies/', () => {
  const names = readdirSync(new URL('policies', repo)).filter(name => name.endsWith('.key'))

  test('has the two to start from', () => {
    expect(names).toEqual(expect.arrayContaining(['starter.key', 'strict.key']))
  })

  test.each(names)('%s', name => {
    expect(problemsOf(readFileSync(new URL(`policies/${name}`, repo), 'utf8'), name)).toEqual([])
  })
})

describe('docs/guide/policy.md', () => {
  const guide = readFileSync(new URL('docs/guide/policy.md', repo), 'utf8')
  const examples = [...guide.matchAll(/```yaml\n([\s\S]*?)```/g)].map(match => match[1] ?? '')

  test('has examples', () => {
    expect(examples.length).toBeGreaterThan(4)
  })

  test.each(examples)('%s', example => {
    expect(problemsOf(example, 'policy.md')).toEqual([])
  })
})

describe('genesis init', () => {
  test.each(
    [[], ...ALL_STACKS.map(stack => [stack]), ALL_STACKS].map(stacks => [stacks.map(stack => stack.name).join(' + '), stacks] as const),
  )('for %s', (_title, stacks) => {
    expect(problemsOf(renderPolicy(stacks), 'genesis.key')).toEqual([])
  })
})
