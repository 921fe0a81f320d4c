// Which skills are in use: in a session since its Skill call, by an agent in the effort that was started for one, and by the unnamed agents of a
// project. Kept as small files under `$BELAY_HOME/run`, so that daemon and client alone know the same.

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { HookEvent } from '@belay/core'
import { toolFamily } from '@belay/core/match'
import { callOfEvent, type StateOf } from '@belay/core/policy'
import { BoundedMap } from '@belay/core/value'
import { type FilePrints, takePrints } from '../disk/file-prints.ts'
import { makeFolder } from '../disk/make-folder.ts'
import { replaceFile } from './write-rule.ts'

export type SkillUser =
  | { readonly kind: 'session'; readonly agent: string; readonly session: string }
  | { readonly kind: 'agent'; readonly id: string }
  | { readonly kind: 'project'; readonly root: string }

export interface ActiveSkills {
  /** In use where this event happens. */
  of(event: HookEvent): readonly string[]
  /** An event that was let through: a Skill call begins to use one, a session that begins or ends uses none. */
  note(event: HookEvent): void
  set(user: SkillUser, skills: readonly string[]): void
}

const MAX_KEPT = 500
const KEPT_MS = 14 * 24 * 60 * 60 * 1000

export function openActiveSkills(home: string): ActiveSkills {
  const folder = join(home, 'run', 'skills')
  const kept = new BoundedMap<string, { readonly prints: FilePrints; readonly skills: readonly string[] }>(MAX_KEPT)

  function read(user: SkillUser): readonly string[] {
    const file = join(folder, keyOf(user))
    const known = kept.get(file)
    if (known?.prints.areSame() === true) return known.skills
    const prints = takePrints([file])
    const skills = existsSync(file) ? readNames(file) : NONE
    kept.set(file, { prints, skills })
    return skills
  }

  function set(user: SkillUser, skills: readonly string[]): void {
    const file = join(folder, keyOf(user))
    if (skills.length === 0) {
      rmSync(file, { force: true })
      return
    }
    makeFolder(folder, 0o700)
    removeOld(folder)
    replaceFile(file, `${JSON.stringify(skills)}\n`)
  }

  return {
    of: event => [...new Set(usersOf(event).flatMap(read))],
    set,
    note(event) {
      const user = sessionOf(event)
      if (endsUse(event)) set(user, [])
      const name = skillOfCall(event)
      if (name === null) return
      const before = read(user)
      if (!before.includes(name)) set(user, [...before, name])
    },
  }
}

const NONE: readonly string[] = []

/** What conditions may read beside what is known otherwise. */
export function withSkills(skills: Pick<ActiveSkills, 'of'>, stateOf: StateOf = () => ({})): StateOf {
  return event => {
    const { session = { id: event.sessionId, agent: event.agent }, ...rest } = stateOf(event)
    return { ...rest, session: { ...session, skills: skills.of(event) } }
  }
}

/** An agent that has an id uses the skill of its own effort; one that has none, that of the project's latest. */
function usersOf(event: HookEvent): readonly SkillUser[] {
  const unnamed = `${event.agent}:${event.sessionId}`
  const { agentId = unnamed, root = event.cwd } = event.delivery ?? {}
  return [sessionOf(event), { kind: 'agent', id: agentId }, ...(agentId === unnamed ? [{ kind: 'project', root } as const] : [])]
}

function sessionOf({ agent, sessionId }: HookEvent): SkillUser {
  return { kind: 'session', agent, session: sessionId }
}

function endsUse({ name, fields }: HookEvent): boolean {
  return name === 'SessionEnd' || (name === 'SessionStart' && fields.source !== 'resume' && fields.source !== 'compact')
}

const CALLS = new Set(['PreToolUse', 'PostToolUse'])

/** null: it is not a call that begins to use a skill. */
export function skillOfCall(event: HookEvent): string | null {
  const call = CALLS.has(event.name) ? callOfEvent(event) : null
  if (call === null || toolFamily(call.tool) !== 'skill') return null
  const { skill, command, name, skill_name: other } = call.input
  const named = [skill, name, other, command].find(value => typeof value === 'string' && value !== '')
  // A slash command begins with a slash and goes on with its arguments; a plugin's skill is called with the plugin's name before it.
  return typeof named === 'string' ? (named.replace(/^\//, '').split(/\s/)[0]?.split(':').at(-1) ?? null) : null
}

function keyOf(user: SkillUser): string {
  return createHash('sha256')
    .update(JSON.stringify(Object.values(user)))
    .digest('hex')
}

function readNames(file: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return Array.isArray(value) ? value.filter(name => typeof name === 'string') : NONE
  } catch (error) {
    if (error instanceof SyntaxError || (error instanceof Error && 'code' in error)) return NONE
    throw error
  }
}

/** Sessions that never ended leave their file behind. */
function removeOld(folder: string): void {
  const oldest = Date.now() - KEPT_MS
  for (const name of readdirSync(folder)) {
    const stat = statSync(join(folder, name), { throwIfNoEntry: false })
    if (stat !== undefined && stat.mtimeMs < oldest) rmSync(join(folder, name), { force: true })
  }
}
