// Fixes what is safe to fix, in the text itself: everything else in the file stays as it is.
import type { Finding } from './finding.ts'

/** The last line first, so that the places of the others stay true. */
export function fixText(text: string, findings: readonly Finding[]): { readonly text: string; readonly fixed: readonly Finding[] } {
  const lines = text.split('\n')
  const fixed: Finding[] = []
  for (const finding of [...findings].sort((a, b) => b.place.line - a.place.line || b.place.column - a.place.column)) {
    const { fix, place } = finding
    const line = lines[place.line - 1]
    if (fix === undefined || line === undefined) continue
    const changed = fix.kind === 'replace' ? replaceAt(line, place.column - 1, fix) : removeItem(line, place.column - 1, fix.text)
    if (changed === null) continue
    if (changed === '') lines.splice(place.line - 1, 1)
    else lines[place.line - 1] = changed
    fixed.push(finding)
  }
  return { text: lines.join('\n'), fixed: fixed.toReversed() }
}

function replaceAt(line: string, column: number, { text, by }: { readonly text: string; readonly by: string }): string | null {
  const at = line.indexOf(text, Math.max(0, column - 1))
  return at === -1 ? null : line.slice(0, at) + by + line.slice(at + text.length)
}

/** An item that has its line for itself, `- "Bash(x)"`, or one of a list in brackets. The empty text stands for the line. */
function removeItem(line: string, column: number, rule: string): string | null {
  const item = /^\s*-\s+(["']?)(.*)\1\s*$/.exec(line)
  return item?.[2] === rule ? '' : removeInBrackets(line, column, rule)
}

/** With the comma behind it, else with the one before it. `column`: of its first letter, behind the quote where it has one. */
function removeInBrackets(line: string, column: number, rule: string): string | null {
  const [, quote = ''] = /(["'])$/.exec(line.slice(0, column)) ?? []
  if (!line.startsWith(rule + quote, column)) return null
  const before = line.slice(0, column - quote.length)
  const [behind] = /^\s*(?:,\s*|(?=\]))/.exec(line.slice(column + rule.length + quote.length)) ?? []
  if (behind === undefined) return null
  const rest = line.slice(column + rule.length + quote.length + behind.length)
  if (!behind.includes(',')) return /,\s*$/.test(before) ? before.replace(/,\s*$/, '') + rest : null
  if (before.trim() === '' && rest === '') return ''
  return /(?:[[,]\s*|^\s*)$/.test(before) ? before + rest : null
}
