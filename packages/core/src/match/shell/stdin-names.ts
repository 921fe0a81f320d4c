// Names of files that a command reads on its standard input, where the command line says what comes there.
import type { Call } from './call.ts'
import type { Word } from './shell-analysis.ts'
import { textWord } from './word.ts'

export const MAX_NAMES = 256

/** Lines of a known text, and names that the commands before in the pipe were told to look for. */
export function knownNames({ place: { stdin } }: Call): readonly Word[] {
  if (stdin.kind !== 'text' && stdin.kind !== 'pipe') return []
  const names = stdin.kind === 'pipe' ? stdin.names : []
  const { value = null } = stdin.text ?? {}
  const lines = value === null ? [] : value.split(/[\n\0]/, MAX_NAMES).filter(line => line !== '')
  return [...names, ...lines.map(line => textWord(line))]
}
