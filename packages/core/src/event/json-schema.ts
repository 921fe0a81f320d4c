// The wire form of an event as JSON Schema, for OpenAPI.
import { ENVELOPE_FIELDS, SHARED_FIELDS } from './common-fields.ts'
import type { EventSpec } from './event-spec.ts'
import { type FieldSpec, isOptional, kindOf } from './field.ts'
import { toSnakeCase } from './key-case.ts'

export interface ObjectSchema {
  readonly type: 'object'
  readonly title: string
  readonly properties: Readonly<Record<string, FieldSchema>>
  readonly required: readonly string[]
  readonly additionalProperties: true
}

export interface FieldSchema {
  readonly type?: string | readonly string[]
}

export function eventJsonSchema(event: EventSpec): ObjectSchema {
  const fields = Object.entries({ ...ENVELOPE_FIELDS, ...SHARED_FIELDS, ...event.fields })
  return {
    type: 'object',
    title: event.name,
    properties: Object.fromEntries(fields.map(([name, spec]) => [toSnakeCase(name), fieldSchema(spec)])),
    required: fields.filter(([, spec]) => !isOptional(spec)).map(([name]) => toSnakeCase(name)),
    additionalProperties: true,
  }
}

function fieldSchema(spec: FieldSpec): FieldSchema {
  const kind = kindOf(spec)
  if (kind === 'value') return {}
  return { type: isOptional(spec) ? [kind, 'null'] : kind }
}
