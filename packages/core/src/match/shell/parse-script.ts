// The one place that calls the parser. A parse error is reported and the statements that were read are kept:
// bash runs complete lines before it meets the bad one.
import { type ParsedScript, parse } from 'unbash'
import { WorkSpent } from './meter.ts'
import { meteredText } from './metered-text.ts'
import type { Place, Walk } from './walk.ts'
import { report } from './walk.ts'

/** So much text is read without counting: the worst of it takes a few milliseconds. */
const FREE_CHARACTERS = 1024

export function parseScript(walk: Walk, text: string, place: Place): ParsedScript | null {
  const span = place.span ?? { start: 0, end: text.length }
  try {
    const script = parse(sourceOf(walk, text))
    if (!script.errors) return script
    for (const error of script.errors) {
      if (error.message.includes('nesting depth')) {
        report(walk, 'refused', 'is nested more than 200 deep', span)
        return null
      }
    }
    const [first] = script.errors
    report(walk, 'parse-error', first?.message ?? 'does not parse', place.span ?? { start: first?.pos ?? 0, end: text.length })
    return script
  } catch (error) {
    if (error instanceof WorkSpent) throw error
    report(walk, 'refused', 'is nested more than 200 deep', span)
    return null
  }
}

/** The same text once more, for who asks something else of it; null: too deep. */
export function parseText(text: string): ParsedScript | null {
  try {
    return parse(text)
  } catch {
    return null
  }
}

/** All the code of one analysis together. */
function sourceOf(walk: Walk, text: string): string {
  walk.parsed += text.length
  return walk.parsed > FREE_CHARACTERS ? meteredText(text, walk.meter) : text
}
