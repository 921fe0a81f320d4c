// Codex speaks Claude's shape but parses strictly: one unknown field, a bare `allow`, an `ask`, a `continue: false` before a tool
// or a deny without a reason make it run the tool. Only shapes that were seen to be obeyed are spelled here.
import { compact, type Sayable, type Spelled, spellJson } from '../sayable.ts'

const CAN_END_TURN = new Set(['Stop', 'SubagentStop', 'PostToolUse', 'UserPromptSubmit'])
const BLOCKING = new Set(['UserPromptSubmit', 'PostToolUse', 'Stop', 'SubagentStop'])

export function encodeCodex(say: Sayable): Spelled {
  const { verdict } = say
  const ends = say.stop !== null && CAN_END_TURN.has(say.event)
  const blocks = verdict.decision === 'deny' && BLOCKING.has(say.event)
  // The block's reason is what replaces a tool's output.
  const replaced = say.event === 'PostToolUse' && say.output !== null && !blocks
  return spellJson({
    continue: ends ? false : undefined,
    stopReason: ends ? say.stop : undefined,
    systemMessage: say.message,
    decision: blocks || replaced ? 'block' : undefined,
    reason: blocks ? verdict.reason : replaced ? textOf(say.output?.value) : undefined,
    hookSpecificOutput: specific(say),
  })
}

function specific(say: Sayable): Readonly<Record<string, unknown>> | undefined {
  const fields = compact({ ...beforeTool(say), ...permissionRequest(say), additionalContext: say.context })
  return fields === undefined ? undefined : { hookEventName: say.event, ...fields }
}

function beforeTool(say: Sayable): Readonly<Record<string, unknown>> {
  if (say.event !== 'PreToolUse') return {}
  if (say.verdict.decision === 'deny') return { permissionDecision: 'deny', permissionDecisionReason: say.verdict.reason }
  // A rewrite counts only beside an allow; the agent's own approval flow still runs after it.
  return say.input === null ? {} : { permissionDecision: 'allow', updatedInput: say.input }
}

function permissionRequest({ event, verdict }: Sayable): Readonly<Record<string, unknown>> {
  if (event !== 'PermissionRequest') return {}
  if (verdict.decision === 'allow') return { decision: { behavior: 'allow' } }
  if (verdict.decision === 'deny') return { decision: { behavior: 'deny', message: verdict.reason } }
  return {}
}

function textOf(value: unknown): string {
  return typeof value === 'string' && value !== '' ? value : JSON.stringify(value ?? '')
}
