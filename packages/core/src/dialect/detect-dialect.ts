// Whose file is this? The path says it where it is the agent's real one; else the text does: keys only one agent has, its event names,
// its variables and folders. Evidence is weighed, and a file that shows none is Claude's, whose format the others copied.

import { claude } from './agent/claude.ts'
import { codex } from './agent/codex.ts'
import { gemini } from './agent/gemini.ts'
import { genesis } from './agent/genesis.ts'
import { hooksToml } from './agent/hooks-toml.ts'
import { kiro } from './agent/kiro.ts'
import { type ConfigNode, field } from './config-node.ts'
import type { Dialect } from './dialect.ts'
import { DIALECTS } from './dialect-table.ts'
import type { ParsedText } from './parse-text.ts'
import type { FoundHooks } from './walk-hooks.ts'

export function detectDialect(parsed: ParsedText, found: FoundHooks, path?: string): Dialect {
  return byPath(path) ?? byForm(parsed) ?? byEvidence(parsed, found)
}

/** The innermost folder that belongs to an agent decides: a template tree may hold one agent's folder inside another's. */
function byPath(path: string | undefined): Dialect | null {
  if (path === undefined) return null
  const slashed = path.replaceAll('\\', '/')
  const hits = DIALECTS.flatMap(dialect => {
    const last = lastMatch(dialect.signs.path, slashed)
    return last === null ? [] : [{ dialect, last }]
  })
  hits.sort((one, other) => other.last - one.last)
  return hits[0]?.dialect ?? null
}

function lastMatch(pattern: RegExp, text: string): number | null {
  const matches = [...text.matchAll(new RegExp(pattern, 'g'))]
  return matches.at(-1)?.index ?? null
}

/** Forms that only one dialect has. */
function byForm({ format, root }: ParsedText): Dialect | null {
  if (format === 'toml') return tomlDialect(root)
  const hooks = field(root ?? undefined, 'hooks')
  if (hooks?.kind === 'array' && hooks.items.some(item => field(item, 'trigger') !== undefined && field(item, 'action') !== undefined))
    return kiro
  if (format === 'yaml' && isGenesis(root)) return genesis
  return null
}

function tomlDialect(root: ConfigNode | null): Dialect {
  if (field(root ?? undefined, 'hooks')?.kind === 'array') return hooksToml
  return field(root ?? undefined, 'rule')?.kind === 'array' ? gemini : codex
}

function isGenesis(root: ConfigNode | null): boolean {
  const hooks = field(root ?? undefined, 'hooks')
  const hasActors = field(field(root ?? undefined, 'permissions'), 'actors') !== undefined
  const hasHooks = hooks?.kind === 'object' && hooks.entries.some(({ key }) => /^(pre_tool_use|post_tool_use|stop)$/.test(key))
  return hasActors || hasHooks || field(root ?? undefined, 'genesis') !== undefined
}

const WEIGHT = { key: 4, handlerKey: 3, event: 1, text: 1 } as const
const MAX_MENTIONS = 4

function byEvidence(parsed: ParsedText, found: FoundHooks): Dialect {
  const top = parsed.root?.kind === 'object' ? new Set(parsed.root.entries.map(entry => entry.key)) : new Set<string>()
  const inner = handlerKeys(found)
  let best = claude
  let most = 0
  for (const dialect of DIALECTS) {
    const weight = weigh(dialect, { top, inner, events: found.events, text: parsed.text })
    if (weight > most) {
      best = dialect
      most = weight
    }
  }
  return best
}

interface Evidence {
  readonly top: ReadonlySet<string>
  readonly inner: ReadonlySet<string>
  readonly events: ReadonlyMap<string, number>
  readonly text: string
}

function weigh({ signs, events }: Dialect, evidence: Evidence): number {
  const keys = (signs.keys ?? []).filter(key => evidence.top.has(key)).length
  const handlers = (signs.handlerKeys ?? []).filter(key => evidence.inner.has(key)).length
  const named = [...evidence.events.keys()].filter(event => events.includes(event)).length
  const mentions = signs.text === undefined ? 0 : countMentions(signs.text, evidence.text)
  return keys * WEIGHT.key + handlers * WEIGHT.handlerKey + named * WEIGHT.event + mentions * WEIGHT.text
}

function countMentions(sign: RegExp, text: string): number {
  const search = new RegExp(sign, 'g')
  let count = 0
  while (count < MAX_MENTIONS && search.test(text)) count += 1
  return count
}

function handlerKeys(found: FoundHooks): Set<string> {
  return new Set(found.hooks.flatMap(({ handler }) => (handler.kind === 'object' ? handler.entries.map(entry => entry.key) : [])))
}
