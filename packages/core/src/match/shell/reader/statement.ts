// Clients of databases: statements that start a program, or that read and write files of the machine.
import type { Call } from '../call.ts'
import type { Word } from '../shell-analysis.ts'
import { leadingText } from '../word.ts'

/** sqlite's dot commands, but for those that only show something. */
const DOT_COMMAND =
  /^[ \t]*\.(?!(?:tables?|schema|indexes|headers?|mode|databases|dump|width|timeout|help|quit|exit|stats|fullschema|show)\b)[a-z]/im
/** psql's and mysql's backslash commands that run, read or write. */
const BACKSLASH = /\\(?:!|copy|o|w|i|ir|g|gx|s|cd|T)(?![a-zA-Z])/
const REACHING_OUT =
  /(?:^|[;\n])[ \t]*(?:system|source|tee|pager|edit)\b|\b(?:(?:to|from)\s+program|outfile|dumpfile|load_file|load_extension|writefile|readfile|pg_read_file|pg_read_binary_file|pg_ls_dir|lo_export|lo_import)\b/i

export function startsProgram({ value }: Word): boolean {
  return value === null || DOT_COMMAND.test(value) || BACKSLASH.test(value) || REACHING_OUT.test(value)
}

/** A statement as operand (sqlite3) or on standard input. */
export function readStatements(call: Call): readonly Word[] {
  const { stdin } = call.place
  const isUnknown = stdin.kind === 'file' || (stdin.kind === 'pipe' && stdin.text === null)
  const given = stdin.kind === 'text' || stdin.kind === 'pipe' ? stdin.text : null
  if (isUnknown || (given && startsProgram(given))) call.unit.traits.push({ kind: 'interpreter-code', option: '-' })
  const operands = call.name === 'sqlite3' ? call.words.slice(2).filter(word => !leadingText(word).startsWith('-')) : []
  if (operands.some(startsProgram)) call.unit.traits.push({ kind: 'interpreter-code', option: '.' })
  return call.words
}
