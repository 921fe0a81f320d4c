// What a call does to the world: external (others see it), memory (the agent's own notes), local (files of this machine), read_only.
// Invariant: what cannot be told counts as the worse of the two.
import { analyzeCommand } from '../match/shell/analyze-command.ts'
import type { ShellAnalysis, Unit } from '../match/shell/shell-analysis.ts'
import { toolFamily } from '../match/tool/tool-family.ts'
import { looksAtRemote } from './remote-look.ts'

export const SIDE_EFFECT_CLASSES = ['external', 'memory', 'local', 'read_only'] as const
export type SideEffectClass = (typeof SIDE_EFFECT_CLASSES)[number]

export interface ClassifiedCall {
  readonly sideEffect: SideEffectClass
  /** Files it would write, as far as the command line says. */
  readonly writes: readonly string[]
  /** What made it so, for people. */
  readonly because: string
}

export interface CallPlace {
  readonly cwd: string
  readonly root: string
}

const READS = new Set(['Grep', 'Glob', 'LS', 'NotebookRead', 'BashOutput', 'ListMcpResources', 'ReadMcpResource', 'TaskList', 'TaskGet'])
const MEMORY = /^(?:Todo|TodoWrite|TodoRead|TaskCreate|TaskUpdate|memory|save_memory|remember)|memory__|__(?:remember|memor)/i
/** The verb of an MCP tool's name, where it is one that only looks. */
const LOOKING = /(?:^|[_-])(?:get|list|read|search|find|describe|query|fetch|show|count|status|view)(?:[_-]|$)/i

export function classifyCall(tool: string, input: Readonly<Record<string, unknown>>, place: CallPlace): ClassifiedCall {
  const family = toolFamily(tool)
  if (MEMORY.test(tool)) return found('memory', `${tool} keeps notes`)
  if (family === 'shell') return classifyShell(typeof input.command === 'string' ? input.command : '', place)
  if (family === 'write') return { ...found('local', `${tool} writes files`), writes: pathsOf(input) }
  if (family === 'read' || family === 'fetch' || family === 'web-search' || READS.has(tool)) return found('read_only', `${tool} only looks`)
  if (!tool.startsWith('mcp__')) return found('local', `${tool} is not known`)
  const verb = tool.split('__').slice(2).join('__')
  return LOOKING.test(verb) ? found('read_only', `${verb} only looks`) : found('external', `${tool} reaches another system`)
}

function found(sideEffect: SideEffectClass, because: string): ClassifiedCall {
  return { sideEffect, because, writes: [] }
}

function pathsOf(input: Readonly<Record<string, unknown>>): readonly string[] {
  return [input.file_path, input.path, input.notebook_path].filter((path): path is string => typeof path === 'string')
}

/** Programs that only look, whatever their arguments; files they write through redirections count on their own. */
const LOOKERS = new Set(
  'ls cat head tail wc grep egrep fgrep rg ag stat file du df pwd echo printf date whoami id uname hostname which type ps env printenv sort uniq cut tr diff cmp comm nl tac basename dirname realpath readlink jq yq test true false cd sleep seq tree less more od xxd sha256sum md5sum find awk sed'.split(
    ' ',
  ),
)

/** Programs whose point is another machine; the second list: only with one of these words. */
const REACHING = new Set(
  'ssh scp sftp rsync ftp telnet nc ncat mail sendmail mutt gh glab kubectl helm terraform tofu pulumi aws gcloud az doctl heroku vercel netlify fly flyctl wrangler ansible ansible-playbook psql mysql mongosh redis-cli twine'.split(
    ' ',
  ),
)
const REACHING_VERBS: Readonly<Record<string, ReadonlySet<string>>> = {
  git: new Set(['push', 'send-email', 'request-pull']),
  npm: new Set(['publish', 'unpublish', 'deprecate', 'dist-tag', 'access', 'owner']),
  pnpm: new Set(['publish']),
  yarn: new Set(['publish']),
  cargo: new Set(['publish', 'yank', 'owner']),
  docker: new Set(['push', 'login']),
  podman: new Set(['push']),
  gem: new Set(['push']),
  poetry: new Set(['publish']),
  uv: new Set(['publish']),
}
const LOOKING_VERBS: Readonly<Record<string, ReadonlySet<string>>> = {
  git: new Set([
    'status',
    'log',
    'diff',
    'show',
    'blame',
    'rev-parse',
    'ls-files',
    'ls-tree',
    'describe',
    'grep',
    'shortlog',
    'cat-file',
    'fetch',
  ]),
  npm: new Set(['ls', 'view', 'outdated', 'audit', 'whoami']),
  docker: new Set(['ps', 'images', 'logs', 'inspect']),
}
const SENDS = /^(?:-X|--request|-d|--data.*|-F|--form.*|-T|--upload-file|--post-data.*|--post-file.*|--method|--body-.*)$/

function classifyShell(command: string, place: CallPlace): ClassifiedCall {
  const analysis = analyzeCommand(command, { ...place, home: '~' })
  const writes = writesOf(analysis)
  const [problem] = analysis.problems
  if (problem !== undefined) return { sideEffect: 'external', writes, because: problem.message }
  const reaching = analysis.units.find(isReaching)
  if (reaching !== undefined) return { sideEffect: 'external', writes, because: `${reaching.source.slice(0, 80)} reaches another system` }
  const changing = analysis.units.find(unit => !isLooking(unit))
  if (changing !== undefined) return { sideEffect: 'local', writes, because: `${changing.source.slice(0, 80)} may change files` }
  if (writes.length > 0) return { sideEffect: 'local', writes, because: `writes ${writes.join(', ').slice(0, 80)}` }
  return found('read_only', 'every part of it only looks')
}

function writesOf({ effects }: ShellAnalysis): readonly string[] {
  return [
    ...new Set(
      effects.flatMap(({ access, path }) => (access === 'write' && path.value !== '/dev/null' ? [path.value ?? path.source] : [])),
    ),
  ]
}

function namesOf({ words }: Unit): { readonly program: string; readonly verb: string; readonly others: readonly string[] } {
  const [first, ...rest] = words.map(word => word.value ?? '')
  const program = (first ?? '').replace(/^.*\//, '')
  return { program, verb: rest.find(word => !word.startsWith('-')) ?? '', others: rest }
}

function isReaching(unit: Unit): boolean {
  const { program, verb, others } = namesOf(unit)
  if (LOOKING_VERBS[program]?.has(verb) || looksAtRemote(program, others)) return false
  if (program === 'curl' || program === 'wget') return others.some(word => SENDS.test(word.split('=')[0] ?? ''))
  return REACHING.has(program) || REACHING_VERBS[program]?.has(verb) === true
}

function isLooking(unit: Unit): boolean {
  const { program, verb, others } = namesOf(unit)
  if (unit.words.length === 0) return true
  if (LOOKING_VERBS[program]?.has(verb) || looksAtRemote(program, others)) return true
  if (program === 'sed') return !others.some(word => /^-\w*i|^--in-place/.test(word))
  if (program === 'find') return !others.some(word => /^-(?:delete|exec|execdir|ok|okdir|fprint\w*|fls)$/.test(word))
  if (program === 'curl' || program === 'wget')
    return program === 'curl' && !others.some(word => /^-\w*[oO]$|^--output|^--remote-name/.test(word))
  return LOOKERS.has(program)
}
