// schema_nudge: a result that looks like a validation error gets the right call as context. It also listens to the batch, because some
// agents fire nothing else for a call that their own schema refused.
import type { InlineAnswer } from '../hook/hook-context.ts'
import type { Guardrail } from './guardrail.ts'
import { isMarkedError, resultText } from './result-text.ts'
import { compileToolSchemas, readToolSchemas, type SchemaCheck, showExample, type ToolSchemas } from './tool-schema.ts'

const VALIDATION_ERROR =
  /validation error|InputValidationError|invalid (?:input|arguments?|parameters?|params)|(?:missing|lacks) (?:a )?(?:required )?(?:field|parameter|argument|property)|required (?:field|parameter|argument|property)|must have required property|field required|is required|unexpected (?:keyword )?(?:argument|parameter|property)|expected (?:string|number|boolean|object|array),? (?:but )?(?:received|got)|"expected":\s*"\w+"|"code":\s*"(?:invalid_type|invalid_union|too_small|unrecognized_keys|invalid_value)"|unrecognized key|-32602/i

export const schemaNudge: Guardrail<ToolSchemas> = {
  name: 'schema_nudge',
  description: 'shows how a tool is called when its result looks like a validation error',
  events: ['PostToolUse', 'PostToolUseFailure', 'PostToolBatch'],
  isHarmless: true,
  readConfig: readToolSchemas,
  createHooks(schemas, ports) {
    const find = compileToolSchemas(schemas, ports)
    const nudge = (tool: string | null, text: string) => (tool === null ? null : nudgeFor(tool, find(tool), text))
    return [
      {
        event: 'PostToolUse',
        run: ({ toolName, source }) =>
          answer([isMarkedError(source.fields.toolResponse) ? nudge(toolName, resultText(source.fields.toolResponse)) : null]),
      },
      { event: 'PostToolUseFailure', run: ({ toolName, source }) => answer([nudge(toolName, resultText(source.fields.error))]) },
      {
        event: 'PostToolBatch',
        run: ({ source }) =>
          answer(
            batchCalls(source.fields.toolCalls).map(({ tool, response }) =>
              isMarkedError(response) ? nudge(tool, resultText(response)) : null,
            ),
          ),
      },
    ]
  },
}

function nudgeFor(tool: string, check: SchemaCheck | null, text: string): string | null {
  if (check === null || !VALIDATION_ERROR.test(text)) return null
  const example = showExample(tool, check.schema)
  const { required } = check.schema
  const fields = required.length === 0 ? '' : ` It needs ${required.map(field => `\`${field}\``).join(', ')}.`
  return `${tool} refused its input.${fields}${example === null ? '' : ` Call it like this: ${example}`}`
}

function answer(nudges: readonly (string | null)[]): InlineAnswer {
  const said = [...new Set(nudges.filter(nudge => nudge !== null))]
  return said.length === 0 ? undefined : { context: said.join('\n') }
}

/** Agents spell the calls of a batch in snake_case. */
export function batchCalls(value: unknown): readonly { readonly tool: string; readonly response: unknown }[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((call: unknown) => {
    if (typeof call !== 'object' || call === null) return []
    const fields = call as Record<string, unknown>
    const tool = fields.toolName ?? fields.tool_name
    return typeof tool === 'string' ? [{ tool, response: fields.toolResponse ?? fields.tool_response }] : []
  })
}
