// Cursor, as documented: `permission` before a tool, `continue` for a prompt, `followup_message` to go on after a stop.
import { endOf } from '../../event/table.ts'
import { type Sayable, type Spelled, spellJson } from '../sayable.ts'

export function encodeCursor(say: Sayable): Spelled {
  const { verdict, event } = say
  if (event === 'PreToolUse') {
    const reason = verdict.decision === 'none' ? undefined : verdict.reason
    return spellJson({
      permission: verdict.decision === 'none' ? undefined : verdict.decision,
      user_message: reason,
      agent_message: reason,
    })
  }
  if (event === 'UserPromptSubmit') {
    return spellJson(verdict.decision === 'deny' ? { continue: false, user_message: verdict.reason } : {})
  }
  if (endOf(event) === 'turn') {
    return spellJson(verdict.decision === 'deny' ? { followup_message: verdict.reason } : {})
  }
  return spellJson({ additional_context: say.context })
}
