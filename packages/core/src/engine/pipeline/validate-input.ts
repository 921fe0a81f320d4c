// Whether a tool can work with an input: its schema first, then its own check. A check that throws found something wrong.
import { errorText } from '../../value/error-text.ts'
import type { Checked, Tool, ToolInput } from './tool.ts'

export type Validation = { readonly ok: true; readonly input: ToolInput } | { readonly ok: false; readonly problem: string }

export function isChecked(tool: Tool): boolean {
  return tool.schema !== undefined || tool.validate !== undefined
}

export async function validateInput(tool: Tool, given: ToolInput): Promise<Validation> {
  const parsed = tool.schema === undefined ? { ok: true as const, input: given } : await parseInput(tool.schema, given)
  if (!parsed.ok || tool.validate === undefined) return parsed
  const problem = await findProblem(input => tool.validate?.(input), parsed.input)
  return problem === null ? parsed : { ok: false, problem }
}

/** Null: nothing is wrong. */
export async function findProblem(check: (input: ToolInput) => Checked | Promise<Checked>, input: ToolInput): Promise<string | null> {
  try {
    const said = await check(input)
    return typeof said === 'string' && said !== '' ? said : null
  } catch (error) {
    return errorText(error)
  }
}

async function parseInput(schema: NonNullable<Tool['schema']>, given: ToolInput): Promise<Validation> {
  try {
    const result = await schema['~standard'].validate(given)
    if (result.issues === undefined) return { ok: true, input: result.value }
    return { ok: false, problem: result.issues.map(describeIssue).join('; ') }
  } catch (error) {
    return { ok: false, problem: errorText(error) }
  }
}

type Issue = Extract<
  Awaited<ReturnType<NonNullable<Tool['schema']>['~standard']['validate']>>,
  { readonly issues: readonly unknown[] }
>['issues'][number]

function describeIssue({ message, path }: Issue): string {
  const place = (path ?? []).map(step => String(typeof step === 'object' ? step.key : step)).join('.')
  return place === '' ? message : `${place}: ${message}`
}
