// A new context window, always: sessions are never resumed. It gets the effort's files and what the last window left.
import { dirname } from 'node:path'
import { findAgent } from '@belay/core/adapter'
import { readOwnFile } from '../own-file.ts'
import { describeEffort, filesToPreload, readDehydrated, renderRecovery } from '../recovery.ts'
import { announceStatus, setStatus } from '../status.ts'
import { openWindow } from '../window.ts'
import type { WorkParts } from '../work-parts.ts'
import type { EffortRow, SessionRow } from '../work-row.ts'
import type { WorkView } from '../work-view.ts'
import type { EventWork } from './event-work.ts'

const CONTEXT_LIMIT = 10_000
const LIST_RESERVE = 800

export const sessionStart: EventWork = {
  async before(parts, view) {
    const { agent, effort } = view
    setStatus(parts, agent, agent.status === 'working' ? 'working' : 'done')
    if (!view.isRepeat || view.session === null) view.session = await openWindow(parts, view, null)
    // Also where it is as before: this may be the first that anybody hears of the agent.
    announceStatus(parts, agent)
    const tokens = view.call.event.fields.contextTokens
    if (typeof tokens === 'number') view.session.contextUsage = Math.min(1, tokens / parts.contextWindowOf(view.call.event.agent, null))
    if (effort === null) return
    view.facts.filesToPreload = filesToPreload(effort, parts.skills.find(effort.projectRoot, effort.skill))
    view.facts.dehydrated = await readDehydrated(parts, effort, view.session)
    view.session.preloadedFiles = view.facts.filesToPreload
    parts.rows.changed(view.session)
  },
  after(parts, view) {
    if (view.effort === null || view.session === null) return []
    const limit = findAgent(view.call.event.agent)?.contextLimit ?? CONTEXT_LIMIT
    const { dehydrated = null } = view.facts
    const room = limit - LIST_RESERVE
    const head =
      dehydrated === null
        ? `You work on ${describeEffort(view.effort)}.`
        : cutRecovery(renderRecovery(view.effort, dehydrated), room, view.session)
    const files = preload(parts, view, view.effort, room - head.length)
    parts.rows.changed(view.session)
    return [head, ...files]
  },
}

/** What is left out can be read where it is kept. */
function cutRecovery(text: string, room: number, { previousId }: SessionRow): string {
  if (text.length <= room) return text
  const note = `\n[… cut; all of it: belay session show ${previousId} --json]\n</recovery>`
  return text.slice(0, room - note.length) + note
}

/** Contents as far as they fit, in order; the rest by name. */
function preload(parts: WorkParts, { facts, session }: WorkView, effort: EffortRow, limit: number): readonly string[] {
  const { skills } = parts
  let room = limit
  const texts: string[] = []
  const left: string[] = []
  for (const file of facts.filesToPreload ?? []) {
    const text = readGiven(file, effort, skills)
    const shown = text === null ? '' : `<file path="${file}">\n${text.trimEnd()}\n</file>`
    if (text === null || shown.length + 1 > room) {
      left.push(file)
      continue
    }
    texts.push(shown)
    room -= shown.length + 1
    session?.loadedFiles.add(file)
  }
  const list = left.map(file => `- ${file}`).join('\n')
  return left.length === 0 ? texts : [...texts, `Read before you go on:\n${list}`.slice(0, LIST_RESERVE - 10)]
}

/** Of the skill's own folder and of the task; anything else the agent reads itself, under its policy. */
function readGiven(file: string, effort: EffortRow, skills: WorkParts['skills']): string | null {
  const skill = skills.find(effort.projectRoot, effort.skill)
  return readOwnFile(file, effort.taskDir) ?? (skill === null ? null : readOwnFile(file, dirname(skill.file)))
}
