// What is wrong with a JSON Schema (2020-12), before anything is tested against it. A schema that cannot be used must be found when the policy
// is read, not with the first call; the validator itself is too heavy to load for that.
import { compileRegex } from '../match/regex.ts'
import { isObject } from '../value/is-object.ts'
import { COUNT, FLAG, type Kind, NUMBER, TEXT } from '../value/kind.ts'

export interface SchemaProblem {
  /** Keys and positions from the root of the schema. */
  readonly path: readonly string[]
  readonly message: string
}

type Data = Readonly<Record<string, unknown>>

export function checkJsonSchema(schema: Data): readonly SchemaProblem[] {
  const problems: SchemaProblem[] = []
  checkSchema({ root: schema, names: namesIn(schema), problems }, schema, [])
  return problems
}

interface Checking {
  readonly root: Data
  /** Every `$anchor` (with `#`) and `$id` in the schema. */
  readonly names: ReadonlySet<string>
  readonly problems: SchemaProblem[]
}

type Check = (checking: Checking, value: unknown, path: readonly string[]) => string | null

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']
const DRAFT = /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/
const MAX_LEVELS = 32

const text = checkKind(TEXT)
const flag = checkKind(FLAG)
const number = checkKind(NUMBER)
const count = checkKind(COUNT)
const texts: Check = (_checking, value) => (isTexts(value) ? null : 'must be a list of texts, each once')

function checkKind(kind: Kind<unknown>): Check {
  return (_checking, value) => (kind.is(value) ? null : `must be ${kind.words}`)
}

const one: Check = (checking, value, path) => {
  checkSchema(checking, value, path)
  return null
}

const list: Check = (checking, value, path) => {
  if (!Array.isArray(value) || value.length === 0) return 'must be a list of schemas'
  for (const [at, each] of value.entries()) checkSchema(checking, each, [...path, String(at)])
  return null
}

const named: Check = (checking, value, path) => {
  if (!isObject(value)) return 'must be a mapping of names to schemas'
  for (const [name, each] of Object.entries(value)) checkSchema(checking, each, [...path, name])
  return null
}

const patterns: Check = (checking, value, path) => {
  for (const name of isObject(value) ? Object.keys(value) : []) complain(checking, [...path, name], regexProblem(name))
  return named(checking, value, path)
}

const KEYWORDS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ...each(['$id', '$anchor', '$comment', 'title', 'description', 'format', 'contentEncoding', 'contentMediaType'], text),
  ...each(['deprecated', 'readOnly', 'writeOnly', 'uniqueItems'], flag),
  ...each(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'], number),
  ...each(['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties', 'minContains', 'maxContains'], count),
  ...each(['items', 'contains', 'additionalProperties', 'propertyNames', 'not', 'if', 'then', 'else', 'unevaluatedItems'], one),
  ...each(['unevaluatedProperties', 'contentSchema'], one),
  ...each(['allOf', 'anyOf', 'oneOf', 'prefixItems'], list),
  ...each(['properties', '$defs', 'definitions', 'dependentSchemas'], named),
  ['patternProperties', patterns],
  ['required', texts],
  [
    'dependentRequired',
    (_checking, value) => (isObject(value) && Object.values(value).every(isTexts) ? null : 'must map names to lists of texts'),
  ],
  ['type', (_checking, value) => typeProblem(value)],
  ['enum', (_checking, value) => (Array.isArray(value) && value.length > 0 ? null : 'must be a list of values')],
  ['multipleOf', (_checking, value) => (typeof value === 'number' && value > 0 ? null : 'must be a number above 0')],
  ['pattern', (_checking, value) => (typeof value === 'string' ? regexProblem(value) : `must be ${TEXT.words}`)],
  ['$ref', ({ root, names }, value) => refProblem(root, names, value)],
  [
    '$schema',
    (_checking, value) => (typeof value === 'string' && DRAFT.test(value) ? null : 'must be https://json-schema.org/draft/2020-12/schema'),
  ],
])

function each(names: readonly string[], check: Check): readonly (readonly [string, Check])[] {
  return names.map(name => [name, check] as const)
}

function checkSchema(checking: Checking, schema: unknown, path: readonly string[]): void {
  if (typeof schema === 'boolean') return
  const flaw = !isObject(schema) ? 'must be a schema: a mapping, true or false' : path.length > MAX_LEVELS ? 'is nested too deeply' : null
  complain(checking, path, flaw)
  if (flaw !== null || !isObject(schema)) return
  for (const [keyword, value] of Object.entries(schema)) {
    const at = [...path, keyword]
    complain(checking, at, KEYWORDS.get(keyword)?.(checking, value, at) ?? null)
  }
}

function complain({ problems }: Checking, path: readonly string[], message: string | null): void {
  if (message !== null) problems.push({ path, message })
}

function typeProblem(value: unknown): string | null {
  const types = Array.isArray(value) ? value : [value]
  if (types.length > 0 && types.every(type => TYPES.includes(type as string)) && new Set(types).size === types.length) return null
  return `must be one of ${TYPES.join(', ')}, or a list of them`
}

function regexProblem(pattern: string): string | null {
  const compiled = compileRegex(pattern, 'javascript')
  return compiled.ok ? null : `is not a regular expression that runs in linear time: ${compiled.problem.message}`
}

function refProblem(root: Data, names: ReadonlySet<string>, value: unknown): string | null {
  if (typeof value !== 'string') return `must be ${TEXT.words}`
  if (value === '#' || names.has(value)) return null
  if (value.startsWith('#/') && isSchema(follow(root, value.slice(2).split('/')))) return null
  return `names nothing in this schema: ${value}`
}

function follow(root: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>((value, step) => {
    const key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
    return typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined
  }, root)
}

function isSchema(value: unknown): boolean {
  return typeof value === 'boolean' || isObject(value)
}

function namesIn(value: unknown, found = new Set<string>(), depth = 0): ReadonlySet<string> {
  if (typeof value !== 'object' || value === null || depth > MAX_LEVELS) return found
  if (isObject(value) && typeof value.$id === 'string') found.add(value.$id)
  if (isObject(value) && typeof value.$anchor === 'string') found.add(`#${value.$anchor}`)
  for (const inner of Object.values(value)) namesIn(inner, found, depth + 1)
  return found
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(item => typeof item === 'string') && new Set(value).size === value.length
}
