// What a tool wants of its input, as a guardrail's config says it: fields, lengths, types by example, or a JSON Schema.
import { isObject } from '../value/is-object.ts'
import type { ConfigReader } from './config-reader.ts'
import type { GuardrailPorts, SchemaTest } from './guardrail-ports.ts'

export interface ToolSchema {
  readonly required: readonly string[]
  /** Of each list at least one field must be there. */
  readonly requiredAny: readonly (readonly string[])[]
  /** Field -> fewest characters. */
  readonly minLength: ReadonlyMap<string, number>
  readonly example: Readonly<Record<string, unknown>> | null
  readonly jsonSchema: Readonly<Record<string, unknown>> | null
}

export type ToolSchemas = ReadonlyMap<string, ToolSchema>

export function readToolSchemas(reader: ConfigReader): ToolSchemas {
  return reader.map('tools', tool => {
    const schema: ToolSchema = {
      required: tool.texts('required'),
      requiredAny: readRequiredAny(tool),
      minLength: readMinLength(tool),
      example: tool.data('example'),
      jsonSchema: tool.schema('schema'),
    }
    for (const problem of schema.example === null ? [] : checkInput(schema, schema.example))
      tool.complain('example', `would be refused itself: ${problem}`)
    return schema
  })
}

/** `[a, b]`: one of the two; `[[a, b], [c, d]]`: one of each. */
function readRequiredAny(reader: ConfigReader): readonly (readonly string[])[] {
  const value = reader.value('required_any')
  if (value === undefined) return []
  if (Array.isArray(value) && value.every(each => typeof each === 'string')) return [value]
  if (Array.isArray(value) && value.every(each => Array.isArray(each) && each.every(name => typeof name === 'string'))) return value
  reader.complain('required_any', 'must be a list of field names, or a list of such lists')
  return []
}

/** A number is about `content`; a mapping names the fields. */
function readMinLength(reader: ConfigReader): ReadonlyMap<string, number> {
  const value = reader.value('content_min_length')
  if (value === undefined) return new Map()
  if (typeof value === 'number') return new Map([['content', value]])
  const entries = isObject(value) ? Object.entries(value) : []
  if (entries.length > 0 && entries.every((entry): entry is [string, number] => typeof entry[1] === 'number')) return new Map(entries)
  reader.complain('content_min_length', 'must be a number, or a mapping of field names to numbers')
  return new Map()
}

export interface SchemaCheck {
  readonly schema: ToolSchema
  /** What the JSON Schema finds; null: there is none. */
  readonly test: SchemaTest | null
  check(input: Readonly<Record<string, unknown>>): readonly string[]
}

/** The checks by tool; a name may hold `*`. */
export function compileToolSchemas(schemas: ToolSchemas, ports: GuardrailPorts): (tool: string) => SchemaCheck | null {
  const checks = new Map([...schemas].map(([name, schema]) => [name, compileToolSchema(schema, ports)]))
  const globs = [...checks].filter(([name]) => name.includes('*')).map(([name, check]) => ({ check, matches: nameMatcher(name) }))
  return tool => checks.get(tool) ?? globs.find(({ matches }) => matches(tool))?.check ?? null
}

/** `*` is any run of characters; names of tools are short. */
export function nameMatcher(pattern: string): (name: string) => boolean {
  if (!pattern.includes('*')) return name => name === pattern
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop() ?? ''
  return name => {
    if (!name.startsWith(first) || name.length < first.length + last.length || !name.endsWith(last)) return false
    let at = first.length
    for (const part of rest) {
      const found = name.indexOf(part, at)
      if (found === -1 || found + part.length > name.length - last.length) return false
      at = found + part.length
    }
    return true
  }
}

function compileToolSchema(schema: ToolSchema, ports: GuardrailPorts): SchemaCheck {
  return {
    schema,
    test: schema.jsonSchema === null ? null : (ports.compileSchema?.(schema.jsonSchema) ?? cannotTest),
    check: input => checkInput(schema, input),
  }
}

function checkInput(schema: ToolSchema, input: Input): readonly string[] {
  return [...missingFields(schema, input), ...wrongTypes(schema, input), ...shortFields(schema, input)]
}

async function cannotTest(): Promise<readonly string[]> {
  return ['it has a JSON Schema, and nothing here can read one']
}

type Input = Readonly<Record<string, unknown>>

function isMissing(input: Input, field: string): boolean {
  const value = input[field]
  return value === undefined || value === null || value === ''
}

function missingFields({ required, requiredAny }: ToolSchema, input: Input): readonly string[] {
  const missing = required.filter(field => isMissing(input, field)).map(field => `\`${field}\` is missing`)
  const none = requiredAny.filter(fields => fields.every(field => isMissing(input, field)))
  return [...missing, ...none.map(fields => `one of ${fields.map(field => `\`${field}\``).join(', ')} is missing`)]
}

/** A field that the example has must be of the example's kind. */
function wrongTypes({ example }: ToolSchema, input: Input): readonly string[] {
  return Object.entries(example ?? {}).flatMap(([field, shown]) => {
    const value = input[field]
    if (value === undefined || value === null || shown === null || kindOf(value) === kindOf(shown)) return []
    return [`\`${field}\` is ${kindOf(value)}, ${kindOf(shown)} is needed`]
  })
}

function shortFields({ minLength }: ToolSchema, input: Input): readonly string[] {
  return [...minLength].flatMap(([field, least]) => {
    const value = input[field]
    if (typeof value !== 'string' || value.length >= least || value === '') return []
    return [`\`${field}\` has ${value.length} characters, at least ${least} are needed`]
  })
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'a mapping' : `a ${typeof value}`
}

const MAX_EXAMPLE = 2000

/** How the tool is called, for the model; null: nothing is known of it. What it shows would be let through. */
export function showExample(tool: string, schema: ToolSchema): string | null {
  const shown = schema.example ?? makeExample(schema)
  return shown === null ? null : `${tool}(${JSON.stringify(shown).slice(0, MAX_EXAMPLE)})`
}

function makeExample({ required, requiredAny, minLength }: ToolSchema): Readonly<Record<string, unknown>> | null {
  const fields = new Set([...required, ...requiredAny.flatMap(([first]) => (first === undefined ? [] : [first]))])
  return fields.size === 0
    ? null
    : Object.fromEntries([...fields].map(field => [field, '…'.repeat(Math.max(1, minLength.get(field) ?? 1))]))
}
