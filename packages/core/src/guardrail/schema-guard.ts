// schema_guard: a call whose input cannot work is denied with what is missing and how it is called, before the tool fails obscurely.
import type { InlineAnswer } from '../hook/hook-context.ts'
import { deny } from '../verdict/verdict.ts'
import type { Guardrail } from './guardrail.ts'
import { compileToolSchemas, readToolSchemas, type SchemaCheck, showExample, type ToolSchemas } from './tool-schema.ts'

export const schemaGuard: Guardrail<ToolSchemas> = {
  name: 'schema_guard',
  description: 'denies a call whose input lacks fields, is too short or of the wrong kind, and shows how the tool is called',
  events: ['PreToolUse'],
  isHarmless: true,
  readConfig: readToolSchemas,
  createHooks(schemas, ports) {
    const find = compileToolSchemas(schemas, ports)
    return [
      {
        event: 'PreToolUse',
        run({ toolName, toolInput }) {
          const check = toolName === null ? null : find(toolName)
          if (toolName === null || check === null) return undefined
          const problems = check.check(toolInput ?? {})
          if (check.test === null) return refuse(toolName, check, problems)
          return check.test(toolInput ?? {}).then(more => refuse(toolName, check, [...problems, ...more]))
        },
      },
    ]
  },
}

function refuse(tool: string, { schema }: SchemaCheck, problems: readonly string[]): InlineAnswer {
  if (problems.length === 0) return undefined
  const example = showExample(tool, schema)
  return deny(`${tool} cannot run as called: ${problems.join('; ')}.${example === null ? '' : ` Call it like this: ${example}`}`)
}
