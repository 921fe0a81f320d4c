// docs/requirements.md against the tests it names: a row without a test, or with one that is gone, is a claim that nobody holds.
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { DOCUMENTS, readBlocks } from './read-blocks.ts'
import { readTests } from './read-tests.ts'

const repository = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, repository), 'utf8')
const page = read('docs/requirements.md')

/** The cells of every line of a table that begins so. */
function rowsOf(first: RegExp): readonly (readonly string[])[] {
  const lines = page.split('\n').filter(line => first.test(line))
  return lines.map(line =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map(cell => cell.trim().replaceAll('\\|', '|')),
  )
}

const REQUIREMENTS = rowsOf(/^\| \d+ \|/).map(([number, , , tests = '', deviation = '']) => ({ row: Number(number), tests, deviation }))
const EXAMPLES = rowsOf(/^\| [a-z]+ \| \d+ \|/).map(([document = '', line, section, language, tests = '']) => ({
  row: `${document} ${line}`,
  block: { document, line: Number(line), section, language },
  tests,
}))

const files = new Map<string, ReadonlyMap<string, string>>()

function open(path: string) {
  if (!existsSync(new URL(path, repository))) return null
  const known = files.get(path)
  if (known !== undefined) return known
  const opened = readTests(read(path))
  files.set(path, opened)
  return opened
}

const WHAT_TO_DO =
  'If it was renamed or moved, write its new file and title into this row of docs/requirements.md; if it is gone, name one that shows the same.'

/** What is wrong with one test that a row names; null: it is there. */
function problemOf(named: string): string | null {
  const [, path, title, text] = /^`([^`]+\.test\.ts)` > (.*?)(?: \(case: (.*)\))?$/.exec(named) ?? []
  if (path === undefined || title === undefined)
    return `"${named}" names no test. Write \`file\` > title, and (case: text) for a row of a table.`
  const file = open(path)
  if (file === null) return `the file ${path} is not there. ${WHAT_TO_DO}`
  const test = file.get(title)
  if (test === undefined) return `${path} has no test "${title}". ${WHAT_TO_DO}`
  return text === undefined || test.includes(text) ? null : `the test "${title}" of ${path} has no case with "${text}". ${WHAT_TO_DO}`
}

const problemsOf = (tests: string) => tests.split('<br>').flatMap(named => problemOf(named) ?? [])

describe('the requirements', () => {
  test('are all there, in order', () => {
    expect(REQUIREMENTS.map(({ row }) => row)).toEqual(Array.from({ length: 430 }, (_, at) => at + 1))
  })

  test('each has a test that is there', () => {
    const problems = REQUIREMENTS.flatMap(({ row, tests }) => problemsOf(tests).map(problem => `row ${row}: ${problem}`))
    expect(problems).toEqual([])
  })

  test('a deviation gives its reason and a section of docs/semantics.md that is there', () => {
    const headings = [...read('docs/semantics.md').matchAll(/^## (.*)$/gm)].map(([, text = '']) => `semantics.md#${slugOf(text)}`)
    const wrong = REQUIREMENTS.filter(({ deviation }) => {
      const [, reason = '', link = ''] = /^(.*) \(\[\d+\]\((.*)\)\)$/.exec(deviation) ?? []
      return deviation !== '' && (reason === '' || !headings.includes(link))
    })
    expect(wrong).toEqual([])
  })
})

describe('the examples of the documents', () => {
  test('are all there', () => {
    const blocks = DOCUMENTS.flatMap(document =>
      readBlocks(document).map(({ line, section, language }) => ({
        document,
        line,
        section,
        language: language === '' ? 'none' : language,
      })),
    )
    expect(EXAMPLES.map(({ block }) => block)).toEqual(blocks)
  })

  test('each is run by a test, or has its reason and the rows that show what it says', () => {
    const problems = EXAMPLES.flatMap(({ row, tests }) => {
      if (tests.startsWith('`')) return problemsOf(tests).map(problem => `${row}: ${problem}`)
      const rows = [...tests.matchAll(/\d+/g)].map(Number)
      const isReasoned = rows.length > 0 ? rows.every(each => each >= 1 && each <= 430) : tests.endsWith('there is nothing to run')
      return isReasoned ? [] : [`${row}: "${tests}" names neither a test nor rows`]
    })
    expect(problems).toEqual([])
  })
})

test('the check finds what it is for', () => {
  const own = 'e2e/documents/requirements.test.ts'
  expect(problemOf(`\`${own}\` > the requirements > are all there, in order`)).toBeNull()
  expect(problemOf(`\`${own}\` > the requirements > are half there`)).toContain('has no test "the requirements > are half there"')
  expect(problemOf('`e2e/gone.test.ts` > x')).toContain('is not there')
  expect(problemOf(`\`${own}\` > the requirements > are all there, in order (case: ${['no', 'such'].join(' ')} case)`)).toContain(
    'has no case with',
  )
  // It stands in this file, and in no table of that test.
  expect(problemOf(`\`${own}\` > the requirements > are all there, in order (case: the check finds what it is for)`)).toContain(
    'has no case with',
  )
  expect(problemOf('')).toContain('names no test')
})

/** As GitHub makes the anchor of a heading. */
function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replaceAll(' ', '-')
}
