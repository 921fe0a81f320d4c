// What the next window of an effort gets: what the last one handed over, else what can be gathered from artifacts, phases and messages.
import { listArtifacts, logPath, readLogTail } from './artifact.ts'
import type { SkillConfig } from './skill.ts'
import { readObject } from './state.ts'
import type { WorkParts } from './work-parts.ts'
import type { EffortRow, SessionRow } from './work-row.ts'

export type Dehydrated = Readonly<Record<string, unknown>>

/** null: this is the effort's first window. */
export async function readDehydrated(parts: WorkParts, effort: EffortRow, session: SessionRow): Promise<Dehydrated | null> {
  if (session.previousId === null) return null
  const row = await parts.store.db
    .selectFrom('sessions')
    .select('dehydration_payload')
    .where('id', '=', session.previousId)
    .where('effort_id', '=', effort.id)
    .executeTakeFirst()
  if (row === undefined) return null
  return row.dehydration_payload ? readObject(row.dehydration_payload) : gather(parts, effort)
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
      ? 'The last session ended without handing over. This is what is known of it:'
      : 'The last session handed this over:'
  const lines = Object.entries(dehydrated).flatMap(([key, value]) => (key === 'recovered' ? [] : [`${key}: ${show(value)}`]))
  return [`<recovery>`, `You continue ${describeEffort(effort)}.`, intro, ...lines, '</recovery>'].join('\n')
}

function show(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every(entry => typeof entry === 'string')) return value.map(entry => `\n- ${entry}`).join('')
  return JSON.stringify(value)
}

export function recoveryPrompt(effort: EffortRow): string {
  return `Continue ${describeEffort(effort)}. Your context was full and you were started anew; what you need is in the recovery block you were given. Read ${logPath(effort)} first.`
}

/** What a session of this effort should have read before it begins. */
export function filesToPreload(effort: EffortRow, skill: SkillConfig | null): readonly string[] {
  const files = skill === null ? [] : [skill.file, ...skill.preload, ...skill.directives]
  return [...new Set([...files, ...listArtifacts(effort)])]
}
