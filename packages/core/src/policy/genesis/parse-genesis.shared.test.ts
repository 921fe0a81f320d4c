// Reads the specification and the corpus beside the repository; run by `npm run test:shared`.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parseGenesis } from './parse-genesis.ts'

const shared = new URL('../../../../../../shared/', import.meta.url)

test("the fixture is the genesis.key document's own example", () => {
  const prd = readFileSync(new URL('specs/hooks-prd-genesis.md', shared), 'utf8')
  expect(prd).toContain(readFileSync(new URL('fixtures/prd.key', import.meta.url), 'utf8'))
})

test('every YAML example of the genesis.key document is accepted', () => {
  const prd = readFileSync(new URL('specs/hooks-prd-genesis.md', shared), 'utf8')
  const examples = [...prd.matchAll(/```yaml\n([\s\S]*?)```/g)].map(match => match[1] ?? '')
  expect(examples.length).toBeGreaterThan(3)
  expect(examples.map(example => parseGenesis(example, 'prd').ok)).toEqual(examples.map(() => true))
})

describe('genesis.key files of the corpus', () => {
  const folder = new URL('corpus/configs/', shared)
  test.each(readdirSync(folder).filter(name => name.startsWith('mentu-')))('%s', name => {
    const parsed = parseGenesis(readFileSync(new URL(name, folder), 'utf8'), name)
    expect(parsed).toMatchObject({ ok: true, warnings: [], policy: { version: '1.0', hooks: [], permissions: { default: 'none' } } })
  })
})
