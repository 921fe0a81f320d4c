// Every dialect. Where two explain a file equally well, the one that stands first is taken.

import { canonicalEvent } from '../adapter/event-name.ts'
import { findEvent } from '../event/table.ts'
import { augment } from './agent/augment.ts'
import { belay } from './agent/belay.ts'
import { claude } from './agent/claude.ts'
import { codebuddy } from './agent/codebuddy.ts'
import { codex } from './agent/codex.ts'
import { copilot } from './agent/copilot.ts'
import { cursor } from './agent/cursor.ts'
import { devin } from './agent/devin.ts'
import { factory } from './agent/factory.ts'
import { gemini } from './agent/gemini.ts'
import { genesis } from './agent/genesis.ts'
import { hooksToml } from './agent/hooks-toml.ts'
import { iflow } from './agent/iflow.ts'
import { kiro } from './agent/kiro.ts'
import { opencode } from './agent/opencode.ts'
import { qwen } from './agent/qwen.ts'
import { windsurf } from './agent/windsurf.ts'
import type { Dialect, DialectId } from './dialect.ts'

export const DIALECTS: readonly Dialect[] = [
  claude,
  codex,
  copilot,
  gemini,
  cursor,
  windsurf,
  kiro,
  factory,
  opencode,
  qwen,
  genesis,
  hooksToml,
  augment,
  codebuddy,
  iflow,
  devin,
  belay,
]

const BY_ID = new Map<string, Dialect>(DIALECTS.map(dialect => [dialect.id, dialect]))

export function findDialect(id: string): Dialect | null {
  return BY_ID.get(id) ?? null
}

export function dialectIds(): readonly DialectId[] {
  return DIALECTS.map(dialect => dialect.id)
}

const KNOWN = new Set(DIALECTS.flatMap(dialect => dialect.events))

/** Whether any agent's files use this name for an event. */
export function isKnownEvent(name: string): boolean {
  return KNOWN.has(name)
}

/** Whether the agent fires it. Our own files may use any name the event table knows. */
export function firesEvent(dialect: Dialect, event: string): boolean {
  return dialect.events.includes(event) || (isOwnDialect(dialect) && findEvent(event) !== null)
}

/** Files of Belay itself, in TOML or JSON. */
export function isOwnDialect({ id }: Dialect): boolean {
  return id === 'hooks-toml' || id === 'belay'
}

export function canonicalName(dialect: Dialect, event: string): string {
  if (isOwnDialect(dialect)) return findEvent(event)?.name ?? event
  const own = dialect.canonical
  if (own !== undefined && Object.hasOwn(own, event)) return own[event] ?? event
  return canonicalEvent(dialect.agent, event)
}

/** Whether it is about one tool call. */
export function isToolEvent(canonicalEvent: string): boolean {
  return findEvent(canonicalEvent)?.matchField === 'toolName'
}

/** Whether the event's payload has a field that a matcher is compared with. Where it has none, a matcher is ignored. */
export function hasMatcher(canonicalEvent: string): boolean {
  return findEvent(canonicalEvent)?.matchField !== null
}
