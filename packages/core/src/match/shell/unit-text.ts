// A unit as one text: its words by single blanks.
import type { Unit, Word } from './shell-analysis.ts'

/** A word that holds blanks, quotes or nothing is quoted again, so that it stays one word; a hole shows as the source. */
export function unitText(unit: Unit): string {
  return unit.words.map(wordText).join(' ')
}

function wordText({ value, source }: Word): string {
  if (value === null) return source
  return value === '' || /[\s'"]/.test(value) ? `'${value.replaceAll("'", "'\\''")}'` : value
}
