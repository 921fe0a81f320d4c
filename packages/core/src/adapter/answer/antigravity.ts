// Antigravity: one decision before a tool, always: it refuses a call for which a hook says none. `ask` leaves the question to the settings of
// its user, so that is what is said where we decide nothing; `force_ask` puts it in any case. From its documentation.
import { reasonOf, type Sayable, type Spelled, spellJson } from '../sayable.ts'

export function encodeAntigravity({ event, verdict }: Sayable): Spelled {
  if (event !== 'PreToolUse') return spellJson({})
  switch (verdict.decision) {
    case 'none':
      return spellJson({ decision: 'ask' })
    case 'allow':
      return spellJson({ decision: 'allow' })
    case 'ask':
      return spellJson({ decision: 'force_ask', reason: reasonOf(verdict) })
    case 'deny':
      return spellJson({ decision: 'deny', reason: reasonOf(verdict) })
  }
}
