// Agents that obey nothing but the exit code: 2 with the reason on stderr and an empty stdout. Everything else is silence.
import { type Sayable, type Spelled, spellJson, spellRefusal } from '../sayable.ts'

export function encodeExitCode(say: Sayable): Spelled {
  return say.verdict.decision === 'deny' ? spellRefusal(say.verdict.reason) : spellJson({})
}
