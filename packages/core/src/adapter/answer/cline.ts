// Cline, as in its source: cancel with a message, override the input, modify the context.
import { type Sayable, type Spelled, spellJson } from '../sayable.ts'

export function encodeCline(say: Sayable): Spelled {
  const { verdict } = say
  if (verdict.decision === 'deny') return spellJson({ cancel: true, errorMessage: verdict.reason })
  return spellJson({ overrideInput: say.input === null ? null : oneCommand(say.input), contextModification: say.context })
}

/** A command that takes the place of several: beside them it would not be read. */
function oneCommand({ command, ...rest }: NonNullable<Sayable['input']>): Sayable['input'] {
  if (typeof command !== 'string' || rest.commands === undefined) return command === undefined ? rest : { command, ...rest }
  return { ...rest, commands: [command] }
}
