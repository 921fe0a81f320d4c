// A YAML text held to a JSON Schema: its data with the place of everything in it, or every problem with its place.
import { type Diagnostic, type JsonSchema, type Place, suggestRemedy } from '@belay/core/policy'
import { isObject } from '@belay/core/value'
import type { ErrorObject } from 'ajv'
import { isMap, isNode, LineCounter, type Node, parseDocument } from 'yaml'

export interface ReadYaml {
  readonly data: unknown
  readonly problems: readonly Diagnostic[]
  /** Where the value at these keys stands; of what is not there, the nearest that is. */
  placeOf(path: readonly (string | number)[]): Place
}

const MAX_TEXT_LENGTH = 4 * 1024 * 1024

export async function readYaml(text: string, file: string, schema: JsonSchema): Promise<ReadYaml> {
  const lines = new LineCounter()
  const document = parseDocument(text.length > MAX_TEXT_LENGTH ? '' : text, { lineCounter: lines, prettyErrors: false })
  const at = (offset: number): Place => {
    const { line, col } = lines.linePos(offset)
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) }
  }
  const problem = (place: Place, message: string, remedy?: string): Diagnostic => ({
    severity: 'error',
    message,
    place,
    ...(remedy === undefined ? {} : { remedy }),
  })
  const placeOf = (path: readonly (string | number)[]): Place => at(startOf(document.contents, path))
  if (text.length > MAX_TEXT_LENGTH) {
    return { data: null, problems: [problem(at(0), `the file has ${text.length} characters, more than ${MAX_TEXT_LENGTH}`)], placeOf }
  }
  const broken = document.errors.map(error => problem(at(error.pos[0]), `not valid YAML: ${error.message}`))
  if (broken.length > 0) return { data: null, problems: broken, placeOf }
  const data: unknown = document.toJS({ maxAliasCount: 100 })
  const errors = await errorsOf(schema, data)
  const problems = errors.map(error => problem(placeOf(pathOf(error)), describe(error), remedyOf(error)))
  return { data, problems, placeOf }
}

async function errorsOf(schema: JsonSchema, data: unknown): Promise<readonly ErrorObject[]> {
  const { Ajv2020 } = await import('ajv/dist/2020.js')
  const validate = new Ajv2020({ allErrors: true, strict: false, verbose: true, logger: false }).compile({ ...schema })
  return validate(data) === true ? [] : mostTelling(validate.errors ?? [])
}

/** Of a choice that fails, what is wrong with its branches says more than that none fits. */
function mostTelling(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const inner = errors.filter(({ keyword }) => keyword !== 'oneOf' && keyword !== 'anyOf' && keyword !== 'if')
  return inner.length === 0 ? errors : joinMissing(inner)
}

/** Branches of a choice that each miss a key are one problem, and none where a key with a slip in it is what is missing. */
function joinMissing(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const isChoice = ({ keyword, schemaPath }: ErrorObject): boolean =>
    keyword === 'required' && /\/(?:any|one)Of\/\d+\/required$/.test(schemaPath)
  return errors.flatMap((error, index) => {
    if (!isChoice(error)) return [error]
    const isHere = (other: ErrorObject): boolean => other.instancePath === error.instancePath
    const choice = errors.filter(other => isChoice(other) && isHere(other))
    const missing = choice.map(({ params }) => String(params.missingProperty))
    const isSlip = errors.some(other => isHere(other) && missing.some(name => remedyOf(other) === `did you mean ${name}?`))
    if (choice[0] !== errors[index] || isSlip) return []
    return missing.length === 1 ? [error] : [{ ...error, params: { missingAll: missing } }]
  })
}

function pathOf({ instancePath, params }: ErrorObject): readonly string[] {
  const keys = instancePath.split('/').slice(1)
  const path = keys.map(key => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  return typeof params.additionalProperty === 'string' ? [...path, params.additionalProperty] : path
}

function describe(error: ErrorObject): string {
  const where = error.instancePath === '' ? 'the file' : `\`${error.instancePath.slice(1).replaceAll('/', '.')}\``
  const { additionalProperty, missingProperty, missingAll, allowedValues } = error.params
  if (typeof additionalProperty === 'string') return `${where} has no key \`${additionalProperty}\``
  if (typeof missingProperty === 'string') return `${where} has no \`${missingProperty}\``
  if (Array.isArray(missingAll)) return `${where} has none of ${missingAll.map(name => `\`${name}\``).join(', ')}`
  if (Array.isArray(allowedValues)) return `${where} is ${JSON.stringify(error.data)}, expected one of ${allowedValues.join(', ')}`
  return `${where} ${error.message ?? 'is wrong'}`
}

function remedyOf({ params, parentSchema }: ErrorObject): string | undefined {
  if (typeof params.additionalProperty !== 'string') return undefined
  const known = isObject(parentSchema) && isObject(parentSchema.properties) ? Object.keys(parentSchema.properties) : []
  return known.length === 0 ? undefined : suggestRemedy(params.additionalProperty, known)
}

/** A key that should not be there is shown itself, not its value. */
function startOf(contents: unknown, path: readonly (string | number)[]): number {
  let node: unknown = contents
  let start = isNode(node) ? (node.range?.[0] ?? 0) : 0
  for (const key of path) {
    if (isMap(node)) {
      const pair = node.items.find(each => String((each.key as Node & { value?: unknown }).value) === String(key))
      if (pair === undefined) return start
      start = isNode(pair.key) ? (pair.key.range?.[0] ?? start) : start
      node = pair.value
    } else {
      node =
        isNode(node) && 'get' in node ? (node as unknown as { get(at: number, keep: true): unknown }).get(Number(key), true) : undefined
      start = isNode(node) ? (node.range?.[0] ?? start) : start
    }
  }
  return start
}
