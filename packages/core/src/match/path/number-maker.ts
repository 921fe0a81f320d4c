// Commands whose output is numbers that nobody was given as the number of one process: reckoned, counted, drawn by lot, or listed for every
// process there is. Who only hands on what another one found (`cat server.pid`, `lsof -ti:3000`, `cut`) makes none.
import type { Command, Word, WordPart } from 'unbash'

const MAKERS =
  /^(?:g?seq|jot|shuf|expr|bc|dc|factor|numfmt|units|nl|wc|cksum|sum|rev|od|hexdump|hd|xxd|date|gdate|openssl|yes|python[\d.]*|node|nodejs|perl|ruby|php|lua|deno|bun|tclsh)$/
const COUNTING = /^-[a-zA-Z]*[nbc]|^--(?:count|line-number|byte-offset|number)/
const TALLYING = /^(?:[efz]?grep|rg|cat|stat)$/
const AWK = /^[gmn]?awk$/
/** Begins without input, goes round, or reckons. */
const AWK_RECKONS = /BEGIN[^}]*\bprint|\b(?:for|while|do)\b|\+\+|--|\brand\b|\blength\b|\bprintf?\b[^;}]*[-+*%^](?!["'])|\bstrtonum\b/
/** A replacement with digits of its own. */
const SED_MAKES = /s(.)(?:(?!\1).)*\1(?:(?!\1).)*(?<!\\)\d/
/** Longer code may reckon anything. */
const MAX_CODE = 1024
/** Files of the system that name processes, and folders that are called like them. */
export const LISTED = /^(?:\/proc(?:\/|$)|.*\/cgroup\.(?:procs|threads)$)/

/** Where the daemon writes its own number down, wherever it is looked for. */
const OWN_STATE = /daemon\.json\b/

const NAMES_PARENT = /^(?!--).*\bppid\b/i

export function makesNumbers(command: Command): boolean {
  const program = baseName(command.name?.value ?? '')
  const words = command.args.filter((arg): arg is Word => arg.type === 'Word')
  const values = words.map(literalText)
  if (MAKERS.test(program) || values.some(value => LISTED.test(value) || OWN_STATE.test(value))) return true
  // The parent of a command is the agent: `ps -o ppid= -p $$`, `awk '/PPid/ {print $2}'`.
  if (values.some(value => NAMES_PARENT.test(value))) return true
  if (program === 'jq') return values.some(value => /^(?:-[a-zA-Z]*n|--null-input)/.test(value))
  if (TALLYING.test(program)) return program !== 'stat' && values.some(value => COUNTING.test(value))
  if (AWK.test(program)) return values.some(value => value.length > MAX_CODE || AWK_RECKONS.test(value))
  if (program === 'sed' || program === 'gsed') return values.some(value => value.length > MAX_CODE || SED_MAKES.test(value))
  if (program === 'tr') return values.slice(1).some(value => /\d/.test(value))
  if (program === 'printf') return values.some(value => /%[-+ #0]*\d*[diuoxXc]|\d/.test(value))
  return program === 'echo' && values.some(value => /\d/.test(value))
}

/** Without what only the shell knows: the digits of `$(lsof -ti:3000)` are no text of the word. */
function literalText({ value, parts }: Word): string {
  return parts === undefined ? value : parts.map(literalPart).join('')
}

function literalPart(part: WordPart): string {
  if (part.type === 'DoubleQuoted' || part.type === 'LocaleString') return part.parts.map(literalPart).join('')
  return /^(?:Literal|SingleQuoted|AnsiCQuoted|Glob)$/.test(part.type) && 'value' in part ? part.value : ''
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
