// Commands inside a text that is of another language: a query that reads files or starts programs, a definition with a command in a line.
import { quoteWords } from './command-text.ts'
import { nameWords } from './field-name.ts'
import { NO_WORD } from './spread-command.ts'
import type { ToolField } from './tool-fields.ts'

type Command = Extract<ToolField, { kind: 'command' }>

export function carriedLines(name: string, text: string): readonly Command[] {
  const names = nameWords(name)
  if (names.some(word => QUERIES.has(word))) return queryCommands(name, text)
  return names.some(word => DEFINITIONS.has(word)) && text.includes('\n') ? definedCommands(name, text) : []
}

const QUERIES = words('sql query queries statement statements')
const DATABASES = [
  ['sqlite3', ':memory:'],
  ['duckdb', '-c'],
  ['psql', '-c'],
  ['mysql', '-e'],
]
/** Without one of these a query touches no file. */
const REACHES_OUT = /\b(?:attach|copy|program|load|import|backup|vacuum|pg_|lo_|\w*(?:file|read_|write_|scan_?)\w*)|^\s*[.\\]/i

/** As the clients of four databases would run it: which one stands behind the tool nobody said. */
function queryCommands(name: string, text: string): readonly Command[] {
  if (!REACHES_OUT.test(text)) return []
  return DATABASES.map(start => asLook(name, quoteWords([...start, text]), quoteWords([...start, 'select 1'])))
}

const DEFINITIONS = words('yaml yml toml workflow manifest playbook pipeline dockerfile compose makefile taskfile unit crontab service')
const MAX_LINES = 200
/** `- run: x`, `RUN x`, `ExecStart=x`, `<tab>x`, `* * * * * x`. */
const BEFORE_COMMAND = /^\s*(?:-\s+)?(?:[\w.-]+\s*[:=]\s*|(?:RUN|CMD|ENTRYPOINT)\s+|(?:[\d*/,-]+\s+){5}|@\w+\s+)?[>|]?/

function definedCommands(name: string, text: string): readonly Command[] {
  const lines = text.split(/\r?\n/, MAX_LINES).map(line => line.replace(BEFORE_COMMAND, '').trim())
  return lines.filter(line => line.includes(' ')).map(line => asLook(name, line.replace(/^(["'])(.*)\1$/, '$2'), NO_WORD))
}

function asLook(name: string, text: string, instead: string): Command {
  return { kind: 'command', name, text, likely: 'look', instead }
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '))
}
