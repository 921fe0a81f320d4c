import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { compileMatcher } from './matcher.ts'

interface Expectation {
  readonly matcher: string
  readonly mode: string
  readonly matches: 'all' | readonly string[]
}

const file = new URL('../../../../../shared/corpus/matcher-expectations.json', import.meta.url)
const { tools, matchers }: { tools: readonly string[]; matchers: readonly Expectation[] } = JSON.parse(readFileSync(file, 'utf8'))

it('holds all expectations', () => {
  expect(matchers.length).toBe(104)
})

it.each(matchers)('$matcher', ({ matcher, mode, matches }) => {
  const compiled = compileMatcher({ dialect: 'claude', text: matcher })
  expect(tools.filter(value => compiled.test({ value }))).toEqual(matches === 'all' ? tools : matches)
  expect(compiled.kind).toBe(mode === 'invalid-regex' ? 'invalid' : mode)
})
