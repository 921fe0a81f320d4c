// How each agent spells a rule, brought to one form: tool names and an argument in our pattern language.
import type { RuleSource } from './rule.ts'

export type DialectRule =
  | { readonly ok: true; readonly tools: string; readonly argument: string | null; readonly offset: number }
  | { readonly ok: false; readonly offset: number; readonly message: string; readonly remedy: string }

export function translateDialect(text: string, source: RuleSource): DialectRule {
  switch (source.dialect) {
    case 'opencode':
      return fromOpencode(text)
    case 'factory':
      return fromFactory(text, source)
    case 'gemini':
      return mapCall(text, fromGemini)
    case 'cursor':
      return mapCall(text, fromCursor)
    default:
      return splitCall(text)
  }
}

/** `Tool` or `Tool(argument)`; the argument ends at the last character, so that parentheses inside need no escape. */
function splitCall(text: string): DialectRule {
  const start = text.length - text.trimStart().length
  const body = text.trim()
  const open = body.indexOf('(')
  if (open === -1) {
    const colon = body.endsWith(':*')
    if (colon)
      return {
        ok: false,
        offset: start + body.length - 2,
        message: `":*" stands outside parentheses in "${body}"`,
        remedy: `write ${body.slice(0, -2)}`,
      }
    return { ok: true, tools: body, argument: null, offset: start }
  }
  const next = SECOND_RULE.exec(body)
  if (next !== null) {
    return { ok: false, offset: start + next[0].length, message: 'several rules stand on one line', remedy: 'write one rule an entry' }
  }
  if (!body.endsWith(')')) {
    return {
      ok: false,
      offset: start + body.length,
      message: `"${shorten(body)}" has no closing parenthesis`,
      remedy: 'end the rule with )',
    }
  }
  const argument = body.slice(open + 1, -1)
  return { ok: true, tools: body.slice(0, open), argument, offset: start }
}

/** `Bash(x) Bash(y)`, `Bash(x) Read Write`: one argument without parentheses, then names or further calls to the end. */
const SECOND_RULE = /^[A-Z]\w*\([^()]*\)\s+(?=[A-Z][A-Za-z]*(?:\([^()]*\))?(?:\s+[A-Z][A-Za-z]*(?:\([^()]*\))?)*$)/

type ToolArgument = { readonly tools: string; readonly argument: string | null }

function mapCall(text: string, map: (call: ToolArgument) => ToolArgument): DialectRule {
  const call = splitCall(text)
  return call.ok ? { ...call, ...map(call) } : call
}

const GEMINI_TOOLS: Readonly<Record<string, string>> = {
  run_shell_command: 'Bash',
  ShellTool: 'Bash',
  Shell: 'Bash',
  read_file: 'Read',
  ReadFileTool: 'Read',
  read_many_files: 'Read',
  ReadManyFilesTool: 'Read',
  write_file: 'Write',
  WriteFileTool: 'Write',
  replace: 'Edit',
  EditTool: 'Edit',
  edit: 'Edit',
  glob: 'Glob',
  GlobTool: 'Glob',
  search_file_content: 'Grep',
  GrepTool: 'Grep',
  grep_search: 'Grep',
  list_directory: 'LS',
  LSTool: 'LS',
  web_fetch: 'WebFetch',
  WebFetchTool: 'WebFetch',
  google_web_search: 'WebSearch',
  WebSearchTool: 'WebSearch',
}

/** Gemini compares the beginning of a command: `run_shell_command(git)` is every git command. */
function fromGemini({ tools, argument }: ToolArgument): ToolArgument {
  const tool = GEMINI_TOOLS[tools] ?? tools
  if (tool !== 'Bash' || argument === null || argument.trim() === '') return { tools: tool, argument }
  return { tools: tool, argument: commandPrefix(argument.trim()) }
}

function fromCursor({ tools, argument }: ToolArgument): ToolArgument {
  if (tools === 'Shell') return { tools: 'Bash', argument: argument === null ? null : cursorCommand(argument.trim()) }
  if (tools === 'Mcp' && argument !== null) {
    const [server = '*', tool = '*'] = argument.trim().split(':')
    return { tools: `mcp__${server}__${tool}`, argument: null }
  }
  if (tools === 'WebFetch' && argument !== null && !argument.startsWith('domain:')) return { tools, argument: `domain:${argument.trim()}` }
  return { tools, argument }
}

/** `Shell(git)` is every git command, `Shell(npm:install*)` separates the program from its arguments. */
function cursorCommand(argument: string): string {
  if (argument.includes(' ')) return argument
  const colon = argument.indexOf(':')
  if (colon === -1) return commandPrefix(argument)
  return `${argument.slice(0, colon)} ${argument.slice(colon + 1)}`
}

function commandPrefix(command: string): string {
  if (command === '') return command
  return command.endsWith('*') ? command : `${command} *`
}

const OPENCODE_TOOLS: Readonly<Record<string, string>> = {
  bash: 'Bash',
  edit: 'Edit|Write',
  write: 'Write',
  patch: 'Edit|Write',
  read: 'Read',
  grep: 'Grep',
  glob: 'Glob',
  list: 'LS',
  webfetch: 'WebFetch',
  websearch: 'WebSearch',
  task: 'Task',
  skill: 'Skill',
  todowrite: 'TodoWrite',
  todoread: 'TodoRead',
}

/** A map entry, `bash :: git *`, or a key alone. */
function fromOpencode(text: string): DialectRule {
  const cut = text.indexOf(' :: ')
  const key = (cut === -1 ? text : text.slice(0, cut)).trim()
  const argument = cut === -1 ? null : text.slice(cut + 4).trim()
  const tools = OPENCODE_TOOLS[key] ?? key
  if (argument === null || argument === '*') return { ok: true, tools, argument: null, offset: 0 }
  if (argument === '')
    return { ok: false, offset: text.length, message: `"${key}" has an empty pattern`, remedy: `write "*" for every call of ${key}` }
  return { ok: true, tools, argument, offset: 0 }
}

/** Bare commands: a denied one is denied with any further argument, an allowed one is allowed as it is written. */
function fromFactory(text: string, source: RuleSource): DialectRule {
  const command = text.trim()
  if (command === '') return { ok: false, offset: 0, message: 'the command is empty', remedy: 'write the command, for example git status' }
  if (/^[A-Z][A-Za-z]*\(.*\)$/s.test(command)) return splitCall(text)
  if (command === '*') return { ok: true, tools: 'Bash', argument: null, offset: 0 }
  const open = source.effect === 'allow' || command.endsWith('*')
  return { ok: true, tools: 'Bash', argument: open ? command : `${command} *`, offset: 0 }
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}
