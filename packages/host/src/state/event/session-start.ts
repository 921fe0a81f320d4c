// A new context window, always: sessions are never resumed. It gets the effort's files and what the last window left.
import { findAgent } from '@belay/core/adapter'
import { findMissing } from '../../config/skill.ts'
import { giveFiles, LIST_RESERVE } from '../give-files.ts'
import { describeEffort, describeMissing, filesToPreload, readDehydrated, renderRecovery } from '../recovery.ts'
import { announceStatus, setStatus } from '../status.ts'
import { openWindow } from '../window.ts'
import type { SessionRow } from '../work-row.ts'
import type { EventWork } from './event-work.ts'

const CONTEXT_LIMIT = 10_000

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
        ? `You work on ${describeEffort(view.effort)}. Log progress with: ${parts.command} log TEXT.`
        : cutRecovery(renderRecovery(view.effort, dehydrated), room, view.session, parts.command)
    const skill = parts.skills.find(view.effort.projectRoot, view.effort.skill)
    const missing = describeMissing(skill === null ? [] : findMissing(skill, parts.path))
    return [head, ...missing, ...giveFiles(parts, view, room - head.length - missing.join('\n').length)]
  },
}

/** What is left out can be read where it is kept. */
function cutRecovery(text: string, room: number, { receivedFrom, previousId }: SessionRow, command: string): string {
  if (text.length <= room) return text
  const note = `\n[… cut; all of it: ${command} session show ${receivedFrom ?? previousId}]\n</recovery>`
  return text.slice(0, room - note.length) + note
}
