// What `echo` and `printf` send down a pipe, where that is known before they run.

import type { Command, CommandNode, ParsedScript, Redirection } from 'unbash'
import { withoutEnd } from '../../value/without-end.ts'
import { expandWord } from './expand-word.ts'
import type { Word } from './shell-analysis.ts'
import type { Place, Scope, Walk } from './walk.ts'
import { textWord } from './word.ts'

/** More words than anybody types are not put together. */
const MAX_WORDS = 64

/** `isWritten`: it goes into a file, so that redirections of the output say nothing else about it. */
export function printedText(walk: Walk, node: CommandNode, place: Place, isWritten = false): Word | null {
  if (node.type !== 'Command' || node.args.length > MAX_WORDS) return null
  const name = node.name?.value
  const redirects = isWritten ? node.redirects.filter(isInput) : node.redirects
  if (name === 'cat' && node.args.length === 0) return passedOn(walk, redirects, place)
  if (redirects.length > 0 || (name !== 'echo' && name !== 'printf')) return null
  const words = knownArguments(walk, node, place.scope)
  const text = words === null ? null : name === 'echo' ? echoText(words) : printfText(words)
  return text === null ? null : textWord(text)
}

/** So deep in each other substitutions are followed. */
const MAX_NESTED = 2

/** What `$(echo x)`, `$(printf x)` and `$(command -v x)` become, where that is known; never where the name has another meaning here. */
export function substitutedText(walk: Walk, script: ParsedScript, scope: Scope): string | null {
  const node = script.commands.length === 1 ? script.commands[0]?.command : undefined
  if (node?.type !== 'Command' || node.prefix.length > node.redirects.length || node.args.length > MAX_WORDS) return null
  const name = node.name?.value ?? ''
  if (name === 'cat' && node.args.length === 0 && !walk.functions.has(name) && !(walk.hasMade && walk.made.aliases.has(name)))
    return hereText(node)
  if (node.redirects.length > 0) return null
  if (!/^(?:echo|printf|which|type|command)$/.test(name) || walk.functions.has(name) || walk.made.aliases.has(name)) return null
  if (walk.substituting >= MAX_NESTED) return null
  walk.substituting++
  const words = knownArguments(walk, node, scope)
  walk.substituting--
  if (words === null) return null
  const text = name === 'echo' ? echoText(words) : name === 'printf' ? printfText(words) : foundProgram(name, words)
  return text === null || text === undefined ? null : withoutEnd(text, '\n')
}

/** `$(cat <<'EOF' ...)`, as agents write messages of commits: a text in which nothing is expanded. */
function hereText({ redirects }: Command): string | null {
  const [only] = redirects
  if (redirects.length !== 1 || only?.type !== 'HereDoc' || only.operator !== '<<' || only.descriptor) return null
  const { parts, text } = only.body
  return only.delimiter?.quoted || (!parts && !text.includes('\\')) ? withoutEnd(text, '\n') : null
}

/** Where a program lies that is looked for by its name. */
function foundProgram(name: string, words: readonly string[]): string | null {
  const options = words.slice(0, -1).join(' ')
  const program = words.at(-1) ?? ''
  const isAsked = name === 'which' ? options === '' || options === '-a' : name === 'type' ? /^-[pP]$/.test(options) : options === '-v'
  return isAsked && /^[\w.+-]+$/.test(program) && !program.startsWith('-') ? `/usr/bin/${program}` : null
}

function knownArguments(walk: Walk, node: Command, scope: Scope): readonly string[] | null {
  const words: string[] = []
  for (const arg of node.args) {
    for (const word of arg.type === 'Word' ? expandWord(walk, arg, scope) : []) {
      if (word.value === null || word.glob) return null
      words.push(word.value)
    }
  }
  return words
}

function isInput(redirect: Redirection): boolean {
  return redirect.type !== 'Redirect' || redirect.operator.startsWith('<')
}

/** `cat <<E`: what it reads, it prints. */
function passedOn(walk: Walk, redirects: readonly Redirection[], place: Place): Word | null {
  if (redirects.some(redirect => redirect.type === 'Redirect')) return null
  const stdin = walk.readStdin(walk, redirects, place) ?? place.input.stdin
  return stdin.kind === 'text' || stdin.kind === 'pipe' ? stdin.text : null
}

/** Backslashes before some characters mean something to some shells' echo, and with `-e` to all; `\\!` is the same to each. */
function echoText(words: readonly string[]): string | null {
  const start = words.findIndex(word => !/^-[neE]+$/.test(word))
  const text = start < 0 ? '' : words.slice(start).join(' ')
  return /\\(?:[^!.#;: ]|$)/.test(text) ? null : text
}

const ESCAPES: Readonly<Record<string, string>> = { '\\n': '\n', '\\t': '\t', '\\0': '\0' }

/** A format of `%s`, text and line ends, used again until no argument is left. */
function printfText(words: readonly string[]): string | null {
  const [format = '', ...values] = words[0] === '--' ? words.slice(1) : words
  const plain = format.replace(/\\[nt0]/g, found => ESCAPES[found] ?? found)
  const slots = plain.split('%s').length - 1
  if (plain.includes('\\') || plain.replaceAll('%s', '').includes('%')) return null
  if (slots === 0) return values.length === 0 ? plain : null
  let text = ''
  for (let at = 0; at === 0 || at < values.length; at += slots) {
    let next = at
    text += plain.replace(/%s/g, () => values[next++] ?? '')
  }
  return text
}
