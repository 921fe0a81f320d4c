// What a command substitution runs.
import type { CommandExpansionPart, ParsedScript } from 'unbash'
import type { Walk } from './walk.ts'

const DECODED_WORK = 50
const counted = new WeakSet<CommandExpansionPart>()

/**
 * undefined: nested too deep. In backticks with escapes the script is read from a text of the parser's own, where no look is counted
 * (metered-text.ts): each of its characters counts as many before it is read.
 */
export function substitutionScript({ meter }: Walk, part: CommandExpansionPart): ParsedScript | undefined {
  if (part.text.startsWith('`') && part.text.includes('\\') && !counted.has(part)) {
    counted.add(part)
    meter.spend(part.text.length * DECODED_WORK)
  }
  return part.script
}
