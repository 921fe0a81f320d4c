// Gemini CLI: `decision` at the top level. Its `tool_input` replaces the whole input, whatever its documentation says about merging.
import { compact, reasonOf, type Sayable, type Spelled, spellJson } from '../sayable.ts'

export function encodeGemini(say: Sayable): Spelled {
  const { verdict } = say
  const gates = say.event === 'PreToolUse' || say.event === 'UserPromptSubmit' || say.event === 'Stop' || say.event === 'PreModel'
  const decision =
    gates && (verdict.decision === 'deny' || (verdict.decision === 'ask' && say.event === 'PreToolUse')) ? verdict.decision : undefined
  // After a tool, a deny's reason becomes the result the model sees.
  const replaced = say.event === 'PostToolUse' && (say.output !== null || verdict.decision === 'deny')
  return spellJson({
    continue: say.stop === null ? undefined : false,
    stopReason: say.stop,
    systemMessage: say.message,
    suppressOutput: say.suppressOutput ? true : undefined,
    decision: replaced ? 'deny' : decision,
    reason: replaced
      ? verdict.decision === 'deny'
        ? verdict.reason
        : textOf(say.output?.value)
      : decision === undefined
        ? undefined
        : reasonOf(verdict),
    hookSpecificOutput: specific(say),
  })
}

function specific(say: Sayable): Readonly<Record<string, unknown>> | undefined {
  const fields = compact({ tool_input: say.event === 'PreToolUse' ? say.input : undefined, additionalContext: say.context })
  return fields === undefined ? undefined : { hookEventName: say.nativeEvent, ...fields }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
