// Clients of databases: statements that start a program, or that read and write files of the machine.
import { type Call, touchArgument } from '../call.ts'
import { runCode } from '../nested-code.ts'
import type { Word } from '../shell-analysis.ts'
import { leadingText, textWord } from '../word.ts'

/** sqlite's dot commands, but for those that only show something. */
const DOT_COMMAND =
  /^[ \t]*\.(?!(?:tables?|schema|indexes|headers?|mode|databases|dump|width|timeout|help|quit|exit|stats|fullschema|show)\b)[a-z]/im
/** psql's and mysql's backslash commands that run, read or write. */
const BACKSLASH = /\\(?:!|copy|o|w|i|ir|g|gx|s|cd|T|P|e|ef|ev|setenv|watch)(?![a-zA-Z])/
const REACHING_OUT =
  /(?:^|[;\n])[ \t]*(?:system|source|tee|pager|edit|capture|spool|host)\b|\bedit\s*\(|\b(?:(?:to|from)\s+program|outfile|dumpfile|load_file|load_extension|writefile|readfile|pg_read_file|pg_read_binary_file|pg_ls_dir|lo_export|lo_import|read_text|read_blob)\b/i

export function startsProgram({ value }: Word): boolean {
  return value === null || DOT_COMMAND.test(value) || BACKSLASH.test(value) || REACHING_OUT.test(value)
}

/** A quoted or bare name behind what opens it. */
const NAME = String.raw`(?:\s*\(\s*|\s+|)(?:'([^']*)'|"([^"]*)"|([^\s'";|()]+))`
const READ_FILE = new RegExp(
  String.raw`(?:^[ \t]*\.(?:import|read|restore|open|load|archive)(?:\s+-{1,2}\w+)*|\\(?:ir?|include)(?=\s)|(?:^|[;\n])[ \t]*(?:source|\\\.)|\b(?:readfile|load_file|pg_read_file|pg_read_binary_file|pg_ls_dir|lo_import|read_(?:text|csv|csv_auto|json|json_auto|parquet|blob)|sniff_csv)|\b(?:load\s+data(?:\s+local)?\s+)?infile|\bfrom(?=\s+['"]|\s+\.?\/)|\battach(?:\s+database)?(?=\s+['"]))${NAME}`,
  'gim',
)
const WRITE_FILE = new RegExp(
  String.raw`(?:^[ \t]*\.(?:output|once|backup|save|log|trace|clone|excel)(?:\s+-{1,2}\w+)*|\\[owgsT](?=\s)|(?:^|[;\n])[ \t]*(?:tee|capture|spool)|\b(?:writefile|lo_export)|\b(?:out|dump)file|\bto(?=\s+['"]\S*['"])|\bvacuum\s+into|\battach(?:\s+database)?(?=\s+['"]))${NAME}`,
  'gim',
)
const SHELL_LINE = /(?:^[ \t]*\.(?:shell|system)|\\!|(?:^|[;\n])[ \t]*system\b)[ \t]*([^\n]+)/gim
const PROGRAM = /\b(?:to|from)\s+program\s+'((?:[^']|'')*)'/gi
const MAX_FILES = 32

/** Files that a statement names for certain, and commands that it starts: deny rules see them. */
export function touchNamedFiles(call: Call, { value }: Word): void {
  if (value === null) return
  const found = (pattern: RegExp): string[] =>
    [...value.matchAll(pattern)].slice(0, MAX_FILES).map(match => withoutScheme(match.slice(1).find(part => part !== undefined) ?? ''))
  for (const name of found(READ_FILE)) touchArgument(call, 'read', textWord(name), 'deny-only')
  for (const name of found(WRITE_FILE)) touchArgument(call, 'write', textWord(name), 'deny-only')
  for (const code of [...found(SHELL_LINE), ...found(PROGRAM)])
    runCode(
      call.walk,
      { code: textWord(code), span: call.unit.span, by: call.name },
      { ...call.place, role: 'deny-only', behind: [...call.place.behind, call.name] },
    )
}

/** `file:x?mode=ro`: sqlite takes addresses for names. */
function withoutScheme(name: string): string {
  return name.startsWith('file:') ? name.slice('file:'.length).replace(/\?.*$/s, '') : name
}

/** A statement as operand (sqlite3) or on standard input. */
export function readStatements(call: Call): readonly Word[] {
  const { stdin } = call.place
  const isUnknown = stdin.kind === 'file' || (stdin.kind === 'pipe' && stdin.text === null)
  const given = stdin.kind === 'text' || stdin.kind === 'pipe' ? stdin.text : null
  if (isUnknown || (given && startsProgram(given))) call.unit.traits.push({ kind: 'interpreter-code', option: '-' })
  if (given) touchNamedFiles(call, given)
  const operands =
    call.name === 'sqlite3' || call.name === 'duckdb' ? call.words.slice(2).filter(word => !leadingText(word).startsWith('-')) : []
  if (operands.some(startsProgram)) call.unit.traits.push({ kind: 'interpreter-code', option: '.' })
  // The first is a database, but where it holds blanks it is a statement that lacks one.
  const first = call.words[1]
  for (const operand of first !== undefined && /\s/.test(leadingText(first)) ? [first, ...operands] : operands)
    touchNamedFiles(call, operand)
  return call.words
}
