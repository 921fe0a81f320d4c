// Commands of tools that nobody described which no field holds whole: a program beside its arguments, and what the tool's own name begins
// (`git` with `push`).
import { quoteWords } from './command-text.ts'
import { isRemark, nameKind, nameWords, speaksAbout } from './field-name.ts'
import { listOf, readStructure } from './likely-value.ts'
import type { ToolField } from './tool-fields.ts'

type Input = Readonly<Record<string, unknown>>
type Command = Extract<ToolField, { kind: 'command' }>
type Entry = readonly [name: string, text: string]

const ARGUMENTS = words('args arguments argv arg params parameters options opts flags operands extraargs additionalargs')
const PROGRAMS = words('program executable binary file')
const MAX_WORDS = 6
const LONGEST_WORD = 200

/** What one level of an input may start, in the order in which its words stand. */
export function spreadCommands(tool: string, input: Input): readonly Command[] {
  const given = Object.entries(input).flatMap(([name, value]) => (isArguments(name) ? [argumentText(value)] : []))
  const line = given.filter(text => text !== null).join(' ')
  const entries = Object.entries(input).filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '')
  const texts = entries.filter(([name]) => !isArguments(name))
  return [...(line === '' ? [] : withArguments(tool, texts, line)), ...belowTool(tool, texts, line)]
}

/** `{command: "rm", args: ["-rf", "x"]}`, `{exe: "git", action: "push", args: ["-f"]}`. */
function withArguments(tool: string, texts: readonly Entry[], line: string): readonly Command[] {
  const isRun = ([name]: Entry): boolean => nameKind(name) === 'command' || PROGRAMS.has(name)
  const runs: readonly Command[] = texts.filter(isRun).map(([name, program]) => ({ kind: 'command', name, text: `${program} ${line}` }))
  // What follows the program is no program itself.
  const last = texts.findIndex(isRun)
  const leading = last < 0 ? texts : texts.slice(0, last + 1)
  const starts = singleWords(leading).map((_, at, all) => [...all.slice(at), ...(last < 0 ? [] : singleWords(texts.slice(last + 1)))])
  const own = tool.split('__').at(-1) ?? ''
  const alone = last < 0 ? [line, ...singleWords(texts).map(word => `${word} ${line}`)] : []
  const likely = [...alone, `${quoteWords([own])} ${line}`, ...starts.map(start => `${start.join(' ')} ${line}`)]
  return [...runs, ...[...new Set(likely)].map(text => ({ kind: 'command', name: 'args', text, likely: 'code' }) as const)]
}

/** `kubectl {command: "delete pod x"}`, `git {operation: "push", remote: "origin"}`: each word of the tool's name may be the program. */
function belowTool(tool: string, texts: readonly Entry[], line: string): readonly Command[] {
  const commands = texts.filter(([name]) => nameKind(name) === 'command' || VERB.test(name)).map(([, text]) => text)
  if (commands.length === 0) return []
  const joined = [...singleWords(texts), line].join(' ').trim()
  const tails = [...new Set([...commands, ...commands.map(text => `${text} ${line}`.trim()), joined])].filter(text => text !== '')
  const programs = nameWords(tool).filter(word => word !== 'mcp')
  return [...new Set(programs)].slice(-MAX_WORDS).flatMap(program =>
    tails.map(tail => {
      const text = `${quoteWords([program])} ${tail}`
      return { kind: 'command', name: 'tool', text, likely: 'look', instead: `${quoteWords([program])} ${NO_WORD}` } as const
    }),
  )
}

const VERB = /command|cmd|verb|action|operation/i

/** What rules say of it too, they do not say because of the text. */
export const NO_WORD = 'no-word-of-this-name'

function singleWords(texts: readonly Entry[]): readonly string[] {
  const found = texts.filter(([name, text]) => !speaksAbout(name) && !isRemark(name) && nameKind(name) !== 'directory' && isWord(text))
  return found.slice(0, MAX_WORDS).map(([, text]) => quoteWords([text]))
}

function isWord(text: string): boolean {
  return text.length <= LONGEST_WORD && !/\s/.test(text)
}

function isArguments(name: string): boolean {
  return ARGUMENTS.has(nameWords(name).join(''))
}

/** As words of a command; null: they are something else. */
function argumentText(value: unknown): string | null {
  const inside = typeof value === 'string' ? readStructure(value) : null
  const values = inside?.kind === 'value' ? inside.value : value
  if (typeof values === 'string') return values === '' || inside !== null ? null : values
  const list = listOf(values)
  return list !== null && list.length > 0 && list.every(isText) ? quoteWords(list, 1) : null
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '))
}
