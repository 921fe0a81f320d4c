// The library that tests values against JSON Schema, with patterns that run in linear time.
import { compileRegex } from '@belay/core/match'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

export function createValidator(schema: Readonly<Record<string, unknown>>): ValidateFunction {
  const ajv = new Ajv2020({ allErrors: true, strict: false, logger: false, code: { regExp: linearRegExp } })
  return ajv.compile({ ...schema })
}

const linearRegExp = Object.assign(
  (pattern: string) => {
    const compiled = compileRegex(pattern, 'javascript')
    if (!compiled.ok) throw new Error(`pattern ${JSON.stringify(pattern)}: ${compiled.problem.message}`)
    // The validator tells its patterns apart by their text.
    return { test: compiled.test, toString: () => pattern }
  },
  { code: 'linearRegExp' },
)
