// A JSON Schema that cannot be used is found when the policy is read, by the same measure as the validator's.
import { checkGuardrail } from '@belay/core'
import { parseGenesis } from '@belay/core/policy'
import { expect, test } from 'vitest'
import { genesisChecks } from '../config/genesis-checks.ts'
import { compileSchema } from './compile-schema.ts'

type Schema = Readonly<Record<string, unknown>>

const GOOD: readonly Schema[] = [
  {},
  { type: 'object', required: ['n'], properties: { n: { type: ['integer', 'null'], minimum: 1 } }, additionalProperties: false },
  { $schema: 'https://json-schema.org/draft/2020-12/schema', $defs: { a: { type: 'string' } }, $ref: '#/$defs/a' },
  { $defs: { a: { $anchor: 'x', const: 1 } }, anyOf: [{ $ref: '#x' }, true] },
  { prefixItems: [{ enum: [1, 'a', null] }], items: false, minItems: 1, uniqueItems: true, contains: {}, minContains: 0 },
  { patternProperties: { '^x-': true }, propertyNames: { maxLength: 9 }, dependentRequired: { a: ['b'] } },
  JSON.parse('{"if": {"multipleOf": 0.5}, "then": {"format": "date"}, "else": {"not": {}}, "unknownKeyword": 7}'),
  { type: 'object', properties: { kids: { type: 'array', items: { $ref: '#' } } } },
]

const BAD: readonly Schema[] = [
  { type: 'strng' },
  { type: [] },
  { type: ['string', 'string'] },
  { required: 'n' },
  { required: ['a', 'a'] },
  { properties: [] },
  { properties: { a: 7 } },
  { items: [{}] },
  { anyOf: [] },
  { allOf: {} },
  { enum: 'a' },
  { minimum: '1' },
  { multipleOf: 0 },
  { minLength: -1 },
  { maxItems: 1.5 },
  { uniqueItems: 'yes' },
  { pattern: '(' },
  { pattern: 7 },
  { patternProperties: { '[': true } },
  { $ref: '#/$defs/none' },
  { $ref: 'https://elsewhere/schema' },
  { $ref: 7 },
  { $schema: 'http://json-schema.org/draft-07/schema#' },
  { $defs: { a: { type: 'no' } } },
  { dependentRequired: { a: 'b' } },
  { not: 'x' },
  { title: 7 },
]

const isUsable = async (schema: Schema) => !(await compileSchema(schema)(null)).some(problem => problem.includes('cannot be used'))
const problemsOf = (schema: Schema) => checkGuardrail('schema_guard', { tools: { T: { schema } } })

test.each(GOOD.map(schema => [schema]))('%j can be used', async schema => {
  expect([problemsOf(schema), await isUsable(schema)]).toEqual([[], true])
})

test.each(BAD.map(schema => [schema]))('%j cannot', async schema => {
  expect([problemsOf(schema).length > 0, await isUsable(schema)]).toEqual([true, false])
})

test('the place is that of the keyword', () => {
  const text = `version: "2.0"
guardrails:
  schema_guard:
    tools:
      mcp__count__add:
        schema:
          type: object
          properties:
            n: { type: intger }
  artifacts:
    expect:
      - files: [a.json]
        schema: { required: n }
`
  const parsed = parseGenesis(text, 'genesis.key', genesisChecks)
  expect(parsed.ok ? [] : parsed.errors.map(({ place, message }) => `${place.line}:${place.column} ${message}`)).toEqual([
    expect.stringMatching(/^9:18 guardrail schema_guard: `tools\.mcp__count__add\.schema\.properties\.n\.type` must be one of string/),
    expect.stringMatching(/^13:19 guardrail artifacts: `expect\.0\.schema\.required` must be a list of texts/),
  ])
})
