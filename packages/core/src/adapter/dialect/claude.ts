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

export function encodeClaude(say: Sayable): Spelled {
  if (say.verdict.decision === 'deny' && BY_EXIT_CODE.has(say.event)) return spellRefusal(say.verdict.reason)
  return spellJson({
    ...turn(say),
    ...block(say),
    hookSpecificOutput: specific(say),
  })
}

function turn(say: Sayable) {
  return {
    continue: say.stop === null ? undefined : false,
    stopReason: say.stop,
    systemMessage: say.message,
    suppressOutput: say.suppressOutput ? true : undefined,
  }
}

function block(say: Sayable) {
  if (say.verdict.decision !== 'deny' || !BLOCKING.has(say.event)) return {}
  return { decision: 'block', reason: say.verdict.reason }
}

function specific(say: Sayable): Readonly<Record<string, unknown>> | undefined {
  const fields = compact({ ...permission(say), additionalContext: say.context, updatedToolOutput: say.output?.value })
  return fields === undefined ? undefined : { hookEventName: say.event, ...fields }
}

function permission(say: Sayable): Readonly<Record<string, unknown>> {
  const { verdict } = say
  if (say.event === 'PermissionRequest') return permissionRequest(say)
  if (say.event !== 'PreToolUse' && say.event !== 'PreModelSwitch') return {}
  // Ending the turn before a tool must also keep the tool from running.
  if (say.stop !== null && verdict.decision !== 'deny') return { permissionDecision: 'deny', permissionDecisionReason: say.stop }
  return {
    permissionDecision: verdict.decision === 'none' ? undefined : verdict.decision,
    permissionDecisionReason: reasonOf(verdict),
    updatedInput: say.input,
  }
}

function permissionRequest({ verdict, input }: Sayable): Readonly<Record<string, unknown>> {
  if (verdict.decision === 'allow') return { decision: compact({ behavior: 'allow', updatedInput: input }) }
  if (verdict.decision === 'deny') return { decision: { behavior: 'deny', message: verdict.reason } }
  return {}
}
