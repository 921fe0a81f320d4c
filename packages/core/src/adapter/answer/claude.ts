// Claude Code's answers. `hookSpecificOutput.hookEventName` is always set: without it the client voids the whole output and runs the tool.
// `continue: false` never gates (the tool still runs), so a turn is ended beside a deny, not instead of one.
import { compact, reasonOf, type Sayable, type Spelled, spellJson, spellRefusal } from '../sayable.ts'

/** Events where a deny is `decision: "block"`. */
const BLOCKING = new Set([
  'UserPromptSubmit',
  'UserPromptExpansion',
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'Stop',
  'SubagentStop',
  'PreCompact',
  'ConfigChange',
  'TaskCreated',
])

/** Events where only exit code 2 is obeyed. */
const BY_EXIT_CODE = new Set(['TaskCompleted', 'TeammateIdle', 'Elicitation', 'ElicitationResult', 'WorktreeCreate'])

/** Spelled out field by field: what is absent is dropped, and nothing is copied on the way. */
export function encodeClaude(say: Sayable): Spelled {
  const { verdict, event } = say
  if (verdict.decision === 'deny' && BY_EXIT_CODE.has(event)) return spellRefusal(verdict.reason)
  const isBlock = verdict.decision === 'deny' && BLOCKING.has(event)
  return spellJson({
    continue: say.stop === null ? undefined : false,
    stopReason: say.stop,
    systemMessage: say.message,
    suppressOutput: say.suppressOutput ? true : undefined,
    decision: isBlock ? 'block' : undefined,
    reason: isBlock ? verdict.reason : undefined,
    hookSpecificOutput: specific(say),
  })
}

function specific(say: Sayable): Readonly<Record<string, unknown>> | undefined {
  const { event, verdict } = say
  const isGate = event === 'PreToolUse' || event === 'PreModelSwitch'
  const fields = compact({
    permissionDecision: isGate && verdict.decision !== 'none' ? verdict.decision : undefined,
    permissionDecisionReason: isGate ? reasonOf(verdict) : undefined,
    updatedInput: isGate ? say.input : undefined,
    decision: event === 'PermissionRequest' ? permissionRequest(say) : undefined,
    additionalContext: say.context,
    updatedToolOutput: say.output?.value,
    classifierContext: say.forAgent.classifierContext,
    retry: say.forAgent.retry,
  })
  return fields === undefined ? undefined : { hookEventName: event, ...fields }
}

function permissionRequest({ verdict, input }: Sayable): Readonly<Record<string, unknown>> | undefined {
  if (verdict.decision === 'allow') return compact({ behavior: 'allow', updatedInput: input })
  if (verdict.decision === 'deny') return { behavior: 'deny', message: verdict.reason }
  return undefined
}
