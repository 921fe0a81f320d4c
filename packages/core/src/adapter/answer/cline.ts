// Cline, as in its source: cancel with a message, override the input, modify the context.
import { type Sayable, type Spelled, spellJson } from '../sayable.ts'

export function encodeCline(say: Sayable): Spelled {
  const { verdict } = say
  if (verdict.decision === 'deny') return spellJson({ cancel: true, errorMessage: verdict.reason })
  return spellJson({ overrideInput: say.input, contextModification: say.context })
}
