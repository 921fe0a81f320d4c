// The JSON Schemas of the files that people write, by name. The package ships them as files (schema/NAME.json), and `init` puts those of what it
// writes beside it, so that editors need nothing else.
import { hooksTomlSchema } from '@belay/core/dialect'
import { genesisSchema, type JsonSchema } from '@belay/core/policy'
import { configSchema } from '../../config/config-schema.ts'
import { CASE_SCHEMA } from '../case/case-schema.ts'

/** Beside the files that name them. */
export const SCHEMA_FOLDER = 'schema'

export const SCHEMAS = {
  genesis: genesisSchema,
  test: () => CASE_SCHEMA,
  hooks: hooksTomlSchema,
  config: configSchema,
} as const satisfies Readonly<Record<string, () => JsonSchema>>

export type SchemaName = keyof typeof SCHEMAS

export function schemaText(name: SchemaName): string {
  return `${JSON.stringify(SCHEMAS[name](), null, 2)}\n`
}
