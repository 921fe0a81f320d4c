// Copilot CLI: flat answers. Its permission request takes a behaviour; a stop or prompt is blocked with `decision`.
import { reasonOf, type Sayable, type Spelled, spellJson } from '../sayable.ts'

export function encodeCopilot(say: Sayable): Spelled {
  const { verdict, event } = say
  if (event === 'PermissionRequest') {
    if (verdict.decision === 'allow') return spellJson({ behavior: 'allow' })
    return verdict.decision === 'deny' ? spellJson({ behavior: 'deny', message: verdict.reason }) : spellJson({})
  }
  if (event === 'PreToolUse') {
    return spellJson({
      permissionDecision: verdict.decision === 'none' ? undefined : verdict.decision,
      permissionDecisionReason: reasonOf(verdict),
      modifiedArgs: say.input,
    })
  }
  return spellJson({
    decision: verdict.decision === 'deny' ? 'block' : undefined,
    reason: verdict.decision === 'deny' ? verdict.reason : undefined,
    additionalContext: say.context,
    modifiedResult: say.output === null ? undefined : { textResultForLlm: textOf(say.output.value), resultType: 'success' },
  })
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
