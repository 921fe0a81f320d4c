// What the next window of an effort gets: what the last one handed over, else what can be gathered from artifacts, phases and messages.

import { existsSync } from 'node:fs'
import type { SkillConfig } from '../config/skill.ts'
import { plainLine } from '../terminal/plain-value.ts'
import { listArtifacts, logPath, readLogTail } from './artifact.ts'
import { readObject } from './state.ts'
import type { WorkParts } from './work-parts.ts'
import type { EffortRow, SessionRow } from './work-row.ts'

export type Dehydrated = Readonly<Record<string, unknown>>

/** null: this is the effort's first window. */
export async function readDehydrated(parts: WorkParts, effort: EffortRow, session: SessionRow): Promise<Dehydrated | null> {
  const from = session.receivedFrom ?? session.previousId
  if (from === null) return null
  const row = await parts.store.db
    .selectFrom('sessions')
    .select('dehydration_payload')
    .where('id', '=', from)
    .where('effort_id', '=', effort.id)
    .executeTakeFirst()
  if (row === undefined) return null
  const isGiven = session.receivedFrom !== null && row.dehydration_payload !== null
  return isGiven ? readObject(row.dehydration_payload ?? '') : gather(parts, effort)
}

const LOG_TAIL = 3000
const MESSAGES = 6

async function gather(parts: WorkParts, effort: EffortRow): Promise<Dehydrated> {
  const { db } = parts.store
  const phases = await db
    .selectFrom('phase_history')
    .select(['phase_label as phase', 'created_at as at'])
    .where('effort_id', '=', effort.id)
    .orderBy('id')
    .execute()
  const messages = await db
    .selectFrom('messages as m')
    .innerJoin('sessions as s', 's.id', 'm.session_id')
    .select(['m.role', 'm.content'])
    .where('s.effort_id', '=', effort.id)
    .orderBy('m.id', 'desc')
    .limit(MESSAGES)
    .execute()
  return {
    recovered: true,
    phases,
    artifacts: listArtifacts(effort),
    log: readLogTail(effort, LOG_TAIL),
    messages: messages.reverse(),
  }
}

export function describeEffort({ id, skill, mode, phase, taskDir }: EffortRow): string {
  return `effort ${id}: ${skill}${mode === null ? '' : ` (${mode})`}${phase === null ? '' : `, phase ${phase}`}, task ${taskDir}`
}

/** For the model. */
export function renderRecovery(effort: EffortRow, dehydrated: Dehydrated): string {
  const intro =
    dehydrated.recovered === true
      ? 'No hand-over waits for you. This is what is known of the work so far:'
      : 'A session before you handed this over:'
  const lines = Object.entries(dehydrated).flatMap(([key, value]) => (key === 'recovered' ? [] : [plainLine(key, value)]))
  return [`<recovery>`, `You continue ${describeEffort(effort)}.`, intro, ...lines, '</recovery>'].join('\n')
}

/** What the skill names and a window will not find. */
export function describeMissing(missing: readonly string[]): readonly string[] {
  return missing.length === 0 ? [] : [`The skill names what is not there: ${missing.join('; ')}.`]
}

export function recoveryPrompt(effort: EffortRow): string {
  return `Continue ${describeEffort(effort)}. Your context was full and you were started anew; what you need is in the recovery block you were given. Read ${logPath(effort)} first.`
}

/** What a session of this effort should have read before it begins. */
export function filesToPreload(effort: EffortRow, skill: SkillConfig | null): readonly string[] {
  const files = skill === null ? [] : [skill.file, ...skill.preload, ...skill.directives].filter(file => existsSync(file))
  return [...new Set([...files, ...listArtifacts(effort)])]
}
