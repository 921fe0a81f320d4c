// What a matcher does in its own agent: whether it can ever fire, whether it fires on everything, and what its author probably meant.

import { compileMatcher } from '../match/matcher.ts'
import { type ConfigNode, textOf } from './config-node.ts'
import type { Dialect } from './dialect.ts'
import { canonicalName, hasMatcher, isToolEvent } from './dialect-table.ts'

export interface MatcherJudgement {
  /** Why it can never fire. */
  readonly never: string | null
  /** Something a person should know, though the hook runs. */
  readonly warning: string | null
  /** Its agent can run it, Belay cannot. */
  readonly unsupported: string | null
}

const FINE: MatcherJudgement = { never: null, warning: null, unsupported: null }

export type JudgeMatcher = (matcher: ConfigNode | undefined, event: string) => MatcherJudgement

/** Judges each matcher text of a file once: a file repeats the same few. */
export function matcherJudge(dialect: Dialect): JudgeMatcher {
  const known = new Map<string, MatcherJudgement>()
  return (matcher, event) => {
    if (matcher === undefined) return FINE
    const text = textOf(matcher)
    if (text === undefined) return judgeMatcher(matcher, event, dialect)
    const key = `${event}\n${text}`
    const judgement = known.get(key) ?? judgeMatcher(matcher, event, dialect)
    known.set(key, judgement)
    return judgement
  }
}

function judgeMatcher(matcher: ConfigNode, event: string, dialect: Dialect): MatcherJudgement {
  const canonical = canonicalName(dialect, event)
  const text = textOf(matcher)
  if (dialect.matcher === null || !hasMatcher(canonical)) return isAll(text) ? FINE : warn(`${event} takes no matcher: this one is ignored`)
  if (text === undefined) return never(`its matcher is not a string, and ${dialect.name} reads only strings`)
  if (!isToolEvent(canonical)) return judgeSyntax(text, event, dialect)
  return judgeToolMatcher(text, event, dialect)
}

/** Tools that exist, and names that no tool has: what matches those matches everything. */
const SAMPLE = (
  'Bash Read Write Edit MultiEdit NotebookEdit Glob Grep LS Task Agent WebFetch WebSearch TodoWrite Skill ExitPlanMode AskUserQuestion ' +
  'mcp__memory__create_entities mcp__github__get_issue apply_patch run_shell_command read_file write_file replace Execute Create Shell bash view ' +
  'create edit fs_write fs_read execute_bash'
).split(' ')
const IMPOSSIBLE = ['Zzqx9', '0-0']

function isAll(text: string | undefined): boolean {
  return text === '' || text === '*'
}

function judgeSyntax(text: string, event: string, dialect: Dialect): MatcherJudgement {
  const { problem } = compiled(text, event, dialect)
  if (problem === null) return FINE
  if (problem.reason === 'syntax') return never(`its matcher "${text}" is not a valid regular expression (${problem.message})`)
  return { ...FINE, unsupported: problem.message }
}

function judgeToolMatcher(text: string, event: string, dialect: Dialect): MatcherJudgement {
  const matcher = compiled(text, event, dialect)
  if (matcher.problem !== null) return judgeSyntax(text, event, dialect)
  if (matcher.kind === 'exact') return judgeNames(text, matcher.names ?? [], dialect)
  if (matcher.kind !== 'regex') return FINE
  const hits = (value: string) => matcher.test({ value })
  if (IMPOSSIBLE.every(hits))
    return PLAIN_ALL.test(text) ? FINE : warn(`the matcher "${text}" fires on every tool${emptyAlternative(text)}`)
  return SAMPLE.some(hits) ? FINE : judgeDeadRegex(text, dialect)
}

const PLAIN_ALL = /^\^?\(?\.[*+]\)?\$?$/

function emptyAlternative(text: string): string {
  return /\|\||^\||\|$/.test(text) ? ': it holds an empty alternative' : ''
}

/** A regex that hits no known tool may still be meant for one we do not know; these forms never are. */
function judgeDeadRegex(text: string, dialect: Dialect): MatcherJudgement {
  if (/==|&&|\bmatches\b/.test(text))
    return never(`its matcher "${text}" is an expression; ${dialect.name} reads a regular expression over tool names`)
  if (/^[A-Za-z_]+\(.*\)$/s.test(text))
    return never(`its matcher "${text}" is a permission rule; ${dialect.name} compares matchers with tool names only`)
  if (/^tools?:|\bAND\b/.test(text))
    return never(`its matcher "${text}" is a query; ${dialect.name} compares matchers with tool names only`)
  return warn(`the matcher "${text}" matches no tool that is known here`)
}

function judgeNames(text: string, names: readonly string[], dialect: Dialect): MatcherJudgement {
  const servers = names.filter(name => /^mcp__[^_]*(_[^_]+)*(__)?$/.test(name) && !/^mcp__.+__.+/.test(name))
  const [server] = servers
  if (server === undefined) return names.length === 0 ? never(`its matcher "${text}" names nothing`) : FINE
  const remedy = `${dialect.name} compares it with whole tool names; write ${server.replace(/_*$/, '')}__.*`
  if (servers.length === names.length) return never(`its matcher "${server}" names a server, no tool: ${remedy}`)
  return warn(`"${server}" in the matcher names a server, no tool: ${remedy}`)
}

function compiled(text: string, event: string, { matcher }: Dialect) {
  return compileMatcher(matcher === null ? null : { dialect: matcher, text }, {
    event,
    compileCall: () => ({ ok: true, test: () => true }),
  })
}

function never(why: string): MatcherJudgement {
  return { ...FINE, never: why }
}

function warn(warning: string): MatcherJudgement {
  return { ...FINE, warning }
}
