// Which strings of a tool's input are a command, a path, a URL or a name, for canonical tools and those of other agents.
// Every such string is given, also where two names for one field disagree; what is missing, doubled or of a wrong type is
// a problem, and with a problem the best answer is ask.
import { isObject } from '../../value/is-object.ts'
import { quoteWords } from './command-text.ts'
import { otherSpellings } from './field-name.ts'
import { guessFields } from './guess-fields.ts'
import { patchPaths } from './patch-paths.ts'
import { type ToolFamily, toolFamily } from './tool-family.ts'

export type ToolField =
  /**
   * `likely`: of a tool that nobody described. `code` may be of any language; `typed` may be no command at all; `look`: nothing but its look
   * says that it is one, so a rule counts that does not speak of `instead` too.
   */
  | {
      readonly kind: 'command'
      readonly name: string
      readonly text: string
      readonly likely?: 'code' | 'typed' | 'look'
      readonly instead?: string
    }
  /** `likely`: nothing but its look says that it is one. */
  | { readonly kind: 'path'; readonly name: string; readonly text: string; readonly access: 'read' | 'write'; readonly likely?: true }
  /** Chooses files by a pattern, from the directory `base` on. */
  | { readonly kind: 'pattern'; readonly name: string; readonly text: string; readonly base: string }
  | { readonly kind: 'url'; readonly name: string; readonly text: string; readonly likely?: true }
  | { readonly kind: 'text'; readonly name: string; readonly text: string }

export interface ToolFields {
  readonly fields: readonly ToolField[]
  readonly problems: readonly string[]
  /** Where a command would run, when the call says so. */
  readonly directory?: string
}

type Input = Readonly<Record<string, unknown>>

export function toolFields(tool: string, input: Input): ToolFields {
  const family = toolFamily(tool)
  if (family === null) return guessFields(tool, input)
  return readers[family](tool, input)
}

const commandNames = ['command', 'cmd', 'command_line', 'commandLine', 'CommandLine', 'chars', 'script']
/** What is typed into a shell that runs already. */
const typedNames = ['input', 'input_text', 'text']
const directoryNames = ['workdir', 'cwd', 'working_directory', 'workingDirectory', 'dir_path', 'directory', 'Cwd']
const pathNames = [
  'file_path',
  'path',
  'filePath',
  'notebook_path',
  'notebookPath',
  'absolute_path',
  'target_file',
  'filename',
  'file',
  'dir_path',
]
const urlNames = ['url', 'uri', 'URL']
const patchNames = ['input', 'patch', 'patchText', 'patch_text', 'diff', 'command']

const readers: Readonly<Record<ToolFamily, (tool: string, input: Input) => ToolFields>> = {
  shell: (tool, input) => shellFields(tool, input),
  write: (tool, input) => writeFields(tool, input),
  read: (tool, input) => readFields(tool, input),
  fetch: (_tool, input) => fetchFields(input),
  'web-search': (_tool, input) => textFields(input, ['query', 'q', 'search_query']),
  task: (_tool, input) => optionalText(input, ['subagent_type', 'subagentType', 'agent_type', 'agent', 'agent_name']),
  skill: (_tool, input) => textFields(input, ['skill', 'command', 'name', 'skill_name']),
}

function shellFields(tool: string, input: Input): ToolFields {
  const found = pick(input, commandNames, commandText)
  const many = [...commandList(input.commands), ...(Array.isArray(input.args) ? commandList(input) : [])]
  const typed = found.values.length === 0 && many.length === 0 ? pick(input, typedNames, asText) : NOTHING_FOUND
  const directory = pick(input, directoryNames, asText)
  const values = [...found.values, ...many, ...typed.values]
  const problems = [
    ...found.problems,
    ...directory.problems,
    ...(values.length === 0 && !isWithoutCommand(tool) ? required(found, 'command') : []),
  ]
  if (tool === 'Bash' && problems.length === 0 && found.values.length > 0) problems.push(...bashProblems(input.command))
  const fields = values.map(({ name, text }) => ({ kind: 'command', name, text }) as const)
  const first = directory.values[0]
  return first === undefined ? { fields, problems } : { fields, problems, directory: first.text }
}

/** These look at a shell that runs already, or end it (Copilot's `read_bash`, most actions of Kilo's `background_process`). */
function isWithoutCommand(tool: string): boolean {
  return /^(?:read|stop)_|^background_process$/.test(tool)
}

const NOTHING_FOUND: Picked = { values: [], problems: [] }

/** Several commands of one call or a single one, as texts or as objects with the program and its arguments. */
function commandList(value: unknown): readonly Named[] {
  if (value === undefined || value === null) return []
  return (Array.isArray(value) ? value : [value]).flatMap((one: unknown) => {
    const text = isObject(one) ? withArguments(one) : asText(one)
    return text === null ? [] : [{ name: 'commands', text }]
  })
}

function withArguments({ command, args }: Input): string | null {
  const text = commandText(command)
  const words = Array.isArray(args) && args.every(word => typeof word === 'string') ? args : []
  return text === null || words.length === 0 ? text : `${text} ${quoteWords(words, 1)}`
}

/** Argv lists and other names belong to other tools; what runs such a `Bash` call is not known. */
function bashProblems(command: unknown): string[] {
  if (typeof command === 'string') return []
  return [Array.isArray(command) ? 'command is a list, not text' : 'the call has no command']
}

function writeFields(tool: string, input: Input): ToolFields {
  const isPatch = /^(?:apply_?patch|patch)$/i.test(tool)
  if (isPatch) return patchFields(input)
  const found = pick(input, pathNames, asText)
  const nested = editPaths(input.edits)
  const fields = [...found.values, ...nested].map(({ name, text }) => ({ kind: 'path', name, text, access: 'write' }) as const)
  return { fields, problems: [...found.problems, ...required(found, 'path')] }
}

/** Some editors name a file inside each edit. */
function editPaths(edits: unknown): Named[] {
  if (!Array.isArray(edits)) return []
  return edits.flatMap((edit: unknown) => (isObject(edit) ? pick(edit, pathNames, asText).values : []))
}

function patchFields(input: Input): ToolFields {
  const found = pick(input, patchNames, asText)
  const direct = pick(input, pathNames, asText)
  const problems = [...found.problems, ...direct.problems, ...required(found, 'patch')]
  const inside = found.values.flatMap(({ name, text }) => patchPaths(text).map(touched => ({ name, text: touched.path })))
  if (found.values.length > 0 && inside.length === 0) problems.push('the patch names no file')
  const fields = [...inside, ...direct.values].map(({ name, text }) => ({ kind: 'path', name, text, access: 'write' }) as const)
  return { fields, problems }
}

/** Searching tools take a directory or none, and their file globs name directories too. */
function readFields(tool: string, input: Input): ToolFields {
  const isSearch = /grep|glob|search|find|^(?:LS|ls|list|tree)/i.test(tool)
  const found = pick(input, pathNames, asText)
  const many = [...oneOrMany(input, 'paths'), ...listed(input, 'include'), ...oneOrMany(input, 'file_paths')]
  const base = found.values[0]?.text ?? '.'
  const patterns = isSearch ? searchGlobs(tool, input) : []
  const values = [...found.values, ...many, ...patterns.map(({ name, text }) => ({ name, text: globDirectory(base, text) }))]
  const problems = isSearch || many.length > 0 ? found.problems : [...found.problems, ...required(found, 'path')]
  if (values.length === 0 && isSearch) values.push({ name: 'path', text: '.' })
  const fields: ToolField[] = values.map(({ name, text }) => ({ kind: 'path', name, text, access: 'read' }))
  return { fields: [...fields, ...patterns.map(({ name, text }) => ({ kind: 'pattern', name, text, base }) as const)], problems }
}

/** Copilot's search takes a list of paths, or one as a text. */
function oneOrMany(input: Input, name: string): readonly Named[] {
  const text = asText(input[name])
  return text === null ? listed(input, name) : [{ name, text }]
}

function searchGlobs(tool: string, input: Input): readonly Named[] {
  const names = /glob|find/i.test(tool)
    ? ['pattern', 'glob', 'glob_pattern', 'include', 'include_pattern']
    : ['glob', 'include', 'include_pattern', 'file_pattern']
  const lists = names.filter(name => Array.isArray(input[name])).flatMap(name => listed(input, name))
  return [...pick(input, names, asText).values, ...lists]
}

/** The directory that a file glob stays in: `/etc/**` reads `/etc`, `src/*.ts` reads `src`. */
function globDirectory(base: string, glob: string): string {
  const segments = glob.split('/')
  const wild = segments.findIndex(segment => /[*?[{]/.test(segment))
  const directory = (wild < 0 ? segments : segments.slice(0, wild)).join('/')
  if (glob.startsWith('/') || glob.startsWith('~')) return directory === '' ? '/' : directory
  return directory === '' ? base : `${base}/${directory}`
}

function fetchFields(input: Input): ToolFields {
  const found = pick(input, urlNames, asText)
  const many = [...listed(input, 'urls'), ...requestUrls(input.requests)]
  const inText = pick(input, ['prompt'], asText).values.flatMap(({ name, text }) => urlsIn(text).map(url => ({ name, text: url })))
  const direct = [...found.values, ...many]
  const values = direct.length > 0 ? direct : inText
  const problems = values.length > 0 ? found.problems : [...found.problems, ...required(found, 'url')]
  return { fields: values.map(({ name, text }) => ({ kind: 'url', name, text }) as const), problems }
}

/** Several pages of one call, each with a question of its own. */
function requestUrls(requests: unknown): readonly Named[] {
  if (!Array.isArray(requests)) return []
  return requests.flatMap((one: unknown) => (isObject(one) ? pick(one, urlNames, asText).values : []))
}

function urlsIn(text: string): string[] {
  return text.match(/[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>`]+/gi) ?? []
}

function textFields(input: Input, names: readonly string[]): ToolFields {
  const found = pick(input, names, asText)
  const fields = found.values.map(({ name, text }) => ({ kind: 'text', name, text }) as const)
  return { fields, problems: [...found.problems, ...required(found, names[0] ?? 'text')] }
}

/** Agents take a default where the call names none. */
function optionalText(input: Input, names: readonly string[]): ToolFields {
  const { fields, problems } = textFields(input, names)
  return fields.length === 0 && !names.some(name => Object.hasOwn(input, name) && input[name] !== null)
    ? { fields, problems: [] }
    : { fields, problems }
}

interface Named {
  readonly name: string
  readonly text: string
}

interface Picked {
  readonly values: readonly Named[]
  readonly problems: string[]
}

function pick(input: Input, names: readonly string[], read: (value: unknown) => string | null): Picked {
  const values: Named[] = []
  const others = otherSpellings(input, names)
  const problems = others.map(name => `${name} is not quite the name of a field`)
  for (const name of others.length === 0 ? names : [...names, ...others]) {
    const value = Object.hasOwn(input, name) ? input[name] : undefined
    if (value === undefined || value === null) continue
    const text = read(value)
    if (text === null) problems.push(`${name} is ${Array.isArray(value) ? 'a list' : `a ${typeof value}`}, not text`)
    else values.push({ name, text })
  }
  if (values.some(({ text }) => text !== values[0]?.text)) problems.push(`${values.map(value => value.name).join(' and ')} disagree`)
  return { values, problems }
}

function required(found: Picked, what: string): string[] {
  return found.values.length === 0 && found.problems.length === 0 ? [`the call has no ${what}`] : []
}

function asText(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** Codex gives argv as a list: written back as shell text that means the same words. */
function commandText(value: unknown): string | null {
  if (typeof value === 'string') return value
  if (!Array.isArray(value) || value.length === 0) return null
  const words = value.filter(word => typeof word === 'string')
  return words.length === value.length ? quoteWords(words) : null
}

function listed(input: Input, name: string): Named[] {
  const value = input[name]
  if (!Array.isArray(value)) return []
  return value.filter(one => typeof one === 'string').map(text => ({ name, text }))
}
