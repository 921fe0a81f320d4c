// One line of `belay decide --batch`: a call and its rules in, a decision out. Nothing runs and no file is looked at.
// Invariant: whatever is wrong with a line is a deny with the error; one line never spoils the next.

import { virtualFileView } from '../match/path/virtual-file-view.ts'
import { isObject } from '../value/is-object.ts'
import { withoutEnd } from '../value/without-end.ts'
import { formatPlace } from '../verdict/place.ts'
import { compileRules } from './compile-rules.ts'
import { judge } from './judge.ts'
import type { JudgeContext, ToolCall } from './judgement.ts'
import { parseRule } from './parse-rule.ts'
import type { DefaultDecision, Permissions, Rule, RuleEffect } from './rule.ts'

export function decideBatchLine(line: string): string {
  const request = parseLine(line)
  if (request === null) return answer(null, 'this line is not a JSON object')
  const id = request.id ?? null
  try {
    return JSON.stringify({ id, ...decide(request) })
  } catch (error) {
    return answer(id, error instanceof BadRequest ? error.message : `could not be judged: ${String(error)}`)
  }
}

type Request = Readonly<Record<string, unknown>>

/** Thrown and caught in this file only: a line that says something impossible. */
class BadRequest extends Error {}

function parseLine(line: string): Request | null {
  try {
    const value: unknown = JSON.parse(line)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

function answer(id: unknown, error: string): string {
  return JSON.stringify({ id, decision: 'deny', error })
}

interface Answer {
  readonly decision: string
  readonly rule: string | null
  readonly unit: string | null
  readonly reason: string
}

function decide(request: Request): Answer {
  const { verdict, rule, decidedBy } = judge(callOf(request), rulesFor(request), contextFor(request))
  return {
    // `none` leaves the call to the agent: nothing here stops it.
    decision: verdict.decision === 'none' ? 'allow' : verdict.decision,
    rule: rule?.text ?? null,
    unit: decidedBy?.source ?? null,
    reason: verdict.decision === 'none' ? 'no rule speaks of it, so it is left to the agent' : (decidedBy?.reason ?? 'nothing would run'),
  }
}

/** The lines of a batch mostly share their rules and their place: what was made for the line before is used again. */
const rulesFor = remember(
  ({ allow, ask, deny, default: otherwise }) => [allow, ask, deny, otherwise],
  request => compileRules(permissionsOf(request)),
)
const contextFor = remember(
  ({ ctx }) => ctx ?? null,
  ({ ctx }) => contextOf(ctx),
)

function remember<T>(partOf: (request: Request) => unknown, make: (request: Request) => T): (request: Request) => T {
  let last: { readonly key: string; readonly made: T } | null = null
  return request => {
    const key = JSON.stringify(partOf(request))
    if (last?.key !== key) last = { key, made: make(request) }
    return last.made
  }
}

function callOf(request: Request): ToolCall {
  const { tool, input } = request
  if (typeof tool !== 'string' || tool === '') throw new BadRequest('"tool" must be the name of a tool')
  if (!isObject(input)) throw new BadRequest('"input" must be an object')
  return { tool, input }
}

/** Genesis dialect; a person is assumed to be there. */
function permissionsOf(request: Request): Permissions {
  const [allow, ask, deny] = [rulesOf(request, 'allow'), rulesOf(request, 'ask'), rulesOf(request, 'deny')]
  return { allow, ask, deny, default: defaultOf(request), hash: 'batch' }
}

const DEFAULTS: ReadonlySet<unknown> = new Set<DefaultDecision>(['ask', 'none', 'deny', 'allow'])

function defaultOf(request: Request): DefaultDecision {
  const given = request.default ?? 'ask'
  if (!DEFAULTS.has(given)) throw new BadRequest('"default" must be ask, none, deny or allow')
  return given as DefaultDecision
}

function rulesOf(request: Request, effect: RuleEffect): Rule[] {
  const texts = request[effect] ?? []
  if (!Array.isArray(texts)) throw new BadRequest(`"${effect}" must be a list of rules`)
  return texts.map((text: unknown, index) => {
    if (typeof text !== 'string') throw new BadRequest(`"${effect}" rule ${index + 1} is not text`)
    const place = { file: effect, line: index + 1, column: 1 }
    const parsed = parseRule(text, { effect, dialect: 'genesis', id: `${effect}-${index + 1}`, place })
    if (parsed.ok) return parsed.rule
    const { problem } = parsed
    throw new BadRequest(`${formatPlace(problem.place)}: ${problem.message}; ${problem.remedy ?? 'correct the rule'}`)
  })
}

const CONTEXT_FIELDS = new Set(['root', 'cwd', 'home', 'links', 'hardlinks', 'caseInsensitiveFs', 'platform'])

/** Without a ctx: root and cwd `/repo`, home `/home/dev`, Linux, no links. */
function contextOf(given: unknown): JudgeContext {
  const ctx = given ?? {}
  if (!isObject(ctx)) throw new BadRequest('"ctx" must be an object')
  const unknown = Object.keys(ctx).find(key => !CONTEXT_FIELDS.has(key))
  if (unknown !== undefined) throw new BadRequest(`ctx.${unknown} is not known; known are ${[...CONTEXT_FIELDS].join(', ')}`)
  const root = directoryOf(ctx, 'root', '/repo')
  const cwd = directoryOf(ctx, 'cwd', root)
  const home = directoryOf(ctx, 'home', '/home/dev')
  const { platform = 'linux', links, hardlinks, caseInsensitiveFs } = ctx
  if (typeof platform !== 'string') throw new BadRequest('ctx.platform must be text')
  const view = virtualFileView({ root, links, hardlinks, caseInsensitiveFs })
  if (!view.ok) throw new BadRequest(view.problem)
  return { root, cwd, home, files: view.files, belayHome: `${home}/.belay`, selfProtection: true, platform }
}

function directoryOf(ctx: Request, name: string, otherwise: string): string {
  const value = ctx[name] ?? otherwise
  if (typeof value !== 'string' || !value.startsWith('/') || value.includes('\0'))
    throw new BadRequest(`ctx.${name} must be an absolute path`)
  return value.length > 1 ? withoutEnd(value, '/') : value
}
