import { expect, test } from 'vitest'
import { fitInjections } from './injection.ts'
import type { Injection } from './work-row.ts'

const text = (kind: Injection['kind'], size: number, path: string | null = null): Injection => ({
  kind,
  text: kind[0]?.repeat(size) ?? '',
  path,
})

test('signals come before notes before directives', () => {
  expect(fitInjections([text('directive', 2), text('note', 2), text('signal', 2)], 10_000)).toBe('ss\nnn\ndd')
})

test('what does not fit is named by its path, and nothing is cut in two', () => {
  const fitted = fitInjections([text('directive', 300, '/a'), text('directive', 9000, '/b'), text('directive', 200, '/c')], 1200)
  expect(fitted).toBe(`${'d'.repeat(300)}\n${'d'.repeat(200)}\nAlso read:\n- /b`)
})

test('a long list of paths is cut short and says so', () => {
  const many = Array.from({ length: 100 }, (_, index) => text('directive', 5000, `/some/where/${index}`))
  const fitted = fitInjections(many, 1000)
  expect(fitted.length).toBeLessThanOrEqual(1000)
  expect(fitted).toMatch(/and \d+ more$/)
})
