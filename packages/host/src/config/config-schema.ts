// config.toml as a JSON Schema, for editors. It is made by the function that reads the file, with a reader that notes which keys are asked for.
import type { JsonSchema } from '@belay/core/policy'
import { readRoot } from './config-file.ts'
import type { TomlReader } from './config-file-toml.ts'

export function configSchema(): JsonSchema {
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'Belay (config.toml)', ...tableSchema(readRoot) }
}

function tableSchema(read: (table: TomlReader) => unknown): JsonSchema {
  const properties: Record<string, JsonSchema> = {}
  const note = (key: string, schema: JsonSchema): Record<string, never> => {
    properties[key] = schema
    return {}
  }
  const reader = {
    text: (key: string) => note(key, { type: 'string', minLength: 1 }),
    texts: (key: string) => note(key, { type: 'array', items: { type: 'string' } }),
    flag: (key: string) => note(key, { type: 'boolean' }),
    number: (key: string) => note(key, { type: 'number', minimum: 0 }),
    integer: (key: string, { least = 0, most }: { readonly least?: number; readonly most?: number }) =>
      note(key, { type: 'integer', minimum: least, ...(most === undefined ? {} : { maximum: most }) }),
    choice: (key: string, choices: readonly string[]) => note(key, { enum: choices }),
    converted: (key: string, _as: string, _convert: unknown, expected: string) =>
      note(key, { description: expected, type: ['string', 'number'] }),
    table: (key: string, _as: string, readTable: (table: TomlReader) => unknown) => note(key, tableSchema(readTable)),
    tables: (key: string, names: readonly string[], readTable: (table: TomlReader) => unknown) =>
      note(key, {
        type: 'object',
        additionalProperties: false,
        properties: Object.fromEntries(names.map(name => [name, tableSchema(readTable)])),
      }),
    refuse: () => undefined,
    reportUnknown: () => undefined,
  }
  read(reader as unknown as TomlReader)
  return { type: 'object', additionalProperties: false, properties }
}
