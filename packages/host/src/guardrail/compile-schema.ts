// JSON Schema (2020-12) for guardrails. The validator is loaded with the first value that is tested; patterns run in linear time.

import { createHash } from 'node:crypto'
import type { SchemaTest } from '@belay/core'
import { BoundedMap, errorText } from '@belay/core/value'

type Schema = Readonly<Record<string, unknown>>

const MAX_KEPT = 200
const kept = new BoundedMap<string, SchemaTest>(MAX_KEPT)
const MAX_PROBLEMS = 8

export function compileSchema(schema: Schema): SchemaTest {
  const key = createHash('sha256').update(JSON.stringify(schema)).digest('hex')
  const known = kept.get(key)
  if (known !== undefined) return known
  const test = createTest(schema)
  kept.set(key, test)
  return test
}

function createTest(schema: Schema): SchemaTest {
  let compiled: Promise<(value: unknown) => readonly string[]> | null = null
  return async value => {
    try {
      compiled ??= compile(schema)
      return (await compiled)(value)
    } catch (error) {
      return [`its JSON Schema cannot be used: ${errorText(error)}`]
    }
  }
}

/** It is large, and few policies have schemas. */
export const loadSchemaCompiler = () => import('./schema-validator.ts')

async function compile(schema: Schema): Promise<(value: unknown) => readonly string[]> {
  const { createValidator } = await loadSchemaCompiler()
  const validate = createValidator(schema)
  return value => {
    if (validate(value) === true) return []
    return (validate.errors ?? [])
      .slice(0, MAX_PROBLEMS)
      .map(({ instancePath, message }) => `${instancePath || 'the input'} ${message ?? 'is wrong'}`)
  }
}
