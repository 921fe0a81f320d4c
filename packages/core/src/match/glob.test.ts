import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileGlob, type Glob, globMatches, globMayMatch, globMustMatch, type PartlyKnownText } from './glob.ts'

describe('known text', () => {
  test.each([
    ['git *', 'git', true],
    ['git *', 'git status', true],
    ['git *', 'gitk', false],
    ['git*', 'gitk', true],
    ['* --force', 'npm i --force', true],
    ['* --force', '--force', false],
    ['*', 'any\nthing/at all', true],
    ['a*b*c', 'a1b2c', true],
    ['a*b*c', 'abc', true],
    ['a*b*c', 'acb', false],
    ['a*a', 'a', false],
    ['git * push *', 'git -C x push', true],
    ['git * push *', 'git -C x pushed', false],
    ['git * push *', 'git x pushed push y', true],
    ['**', 'x', true],
    ['', '', true],
    ['', 'x', false],
  ])('%j on %j: %s', (pattern, text, expected) => {
    expect(globMatches(compileGlob(pattern), text)).toBe(expected)
  })

  test('a question mark is one character only where the dialect says so', () => {
    expect(globMatches(compileGlob('a?c', { question: true }), 'abc')).toBe(true)
    expect(globMatches(compileGlob('*?c', { question: true }), 'c')).toBe(false)
    expect(globMatches(compileGlob('a?c'), 'abc')).toBe(false)
    expect(globMatches(compileGlob('a?c'), 'a?c')).toBe(true)
  })

  test('many stars on a long text come to an end', () => {
    const glob = compileGlob('*a*a*a*a*a*b')
    expect(globMatches(glob, 'a'.repeat(65536))).toBe(false)
    expect(globMatches(compileGlob('*a?a*a?a*b', { question: true }), 'a'.repeat(65536))).toBe(false)
  })
})

const gap = (...chunks: string[]): PartlyKnownText => ({ chunks, soft: chunks.slice(1).map(() => false) })
const soft = (...chunks: string[]): PartlyKnownText => ({ chunks, soft: chunks.slice(1).map(() => true) })

describe('text with unknown parts', () => {
  test.each<[string, PartlyKnownText, 'must' | 'may' | 'no']>([
    ['git *', gap('git ', ''), 'must'],
    ['git *', soft('git', ''), 'must'],
    ['git *', gap('git', ''), 'may'],
    ['git push *', gap('git ', ''), 'may'],
    ['git push *', soft('git', ' push'), 'may'],
    ['git push *', gap('git add ', ''), 'no'],
    ['gitk *', soft('git', ''), 'no'],
    ['rm -rf *', soft('rm -rf', ''), 'must'],
    ['* --force', gap('git commit -m ', ''), 'may'],
    ['* --force', gap('git ', ' --force'), 'must'],
    ['git * push', soft('git', ' push'), 'may'],
    ['git status', gap('git ', ''), 'may'],
    ['git status', gap('git status', 'x'), 'no'],
    ['a*c', gap('a', 'b', 'c'), 'must'],
    ['*b*', gap('a', 'b', 'c'), 'must'],
    ['*z*', gap('a', 'b', 'c'), 'may'],
  ])('%j on %j: %s', (pattern, text, expected) => {
    expect(judge(compileGlob(pattern), text)).toBe(expected)
  })
})

function judge(glob: Glob, text: PartlyKnownText): 'must' | 'may' | 'no' {
  if (globMustMatch(glob, text)) return 'must'
  return globMayMatch(glob, text) ? 'may' : 'no'
}

/** As slow and plain as can be: try every length for every star. */
function naiveMatch(pattern: string, text: string): boolean {
  if (pattern.endsWith(' *')) {
    const body = pattern.slice(0, -2)
    if (naiveMatchStars(body, text)) return true
    return naiveMatchStars(`${body} *`, text)
  }
  return naiveMatchStars(pattern, text)
}

function naiveMatchStars(pattern: string, text: string): boolean {
  if (pattern === '') return text === ''
  const [head, rest] = [pattern.charAt(0), pattern.slice(1)]
  if (head !== '*') return text !== '' && (head === '?' || head === text.charAt(0)) && naiveMatchStars(rest, text.slice(1))
  for (let length = 0; length <= text.length; length++) if (naiveMatchStars(rest, text.slice(length))) return true
  return false
}

const patterns = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '*', '?'), maxLength: 7 })
const texts = fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 8 })
const numRuns = Number(process.env.BELAY_FUZZ ?? 3000)

describe('against a plain reference', () => {
  test('known text', () => {
    fc.assert(
      fc.property(patterns, texts, (pattern, text) => {
        expect(globMatches(compileGlob(pattern, { question: true }), text)).toBe(naiveMatch(pattern, text))
      }),
      { numRuns },
    )
  })

  test('must is never yes where a value says no, may is never no where a value says yes', () => {
    const chunks = fc.array(texts, { minLength: 2, maxLength: 3 })
    const values = fc.array(texts, { minLength: 2, maxLength: 2 })
    fc.assert(
      fc.property(patterns, chunks, values, fc.boolean(), (pattern, parts, fills, isSoft) => {
        const glob = compileGlob(pattern, { question: true })
        const text = isSoft ? soft(...parts) : gap(...parts)
        const filled = parts.reduce((done, part, index) => done + fillUnknown(fills[index - 1] ?? '', isSoft) + part)
        const matches = naiveMatch(pattern, filled)
        if (!matches) expect(globMustMatch(glob, text)).toBe(false)
        else expect(globMayMatch(glob, text)).toBe(true)
      }),
      { numRuns },
    )
  })
})

function fillUnknown(value: string, isSoft: boolean): string {
  return isSoft && value !== '' ? ` ${value}` : value
}
