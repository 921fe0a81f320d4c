// Sub-agents have windows of their own and share the effort of the agent that started them.
import { findAgent } from '@belay/core/adapter'
import { logPath } from '../artifact.ts'
import { giveFiles, LIST_RESERVE } from '../give-files.ts'
import { describeEffort } from '../recovery.ts'
import { changeStatus } from '../status.ts'
import { closeWindow, openWindow } from '../window.ts'
import { subagentOf } from '../work-view.ts'
import type { EventWork } from './event-work.ts'

export const subagentStart: EventWork = {
  async before(parts, view) {
    changeStatus(parts, view.agent, 'working')
    const subagent = subagentOf(view.call.event, parts.cleanName)
    if (subagent !== null && (!view.isRepeat || view.session === null)) view.session = await openWindow(parts, view, subagent)
  },
  after(parts, view) {
    const { effort, call } = view
    if (effort === null) return []
    const skill = parts.skills.find(effort.projectRoot, effort.skill)
    view.facts.filesToPreload = skill?.directives ?? []
    const head = `You are a sub-agent in ${describeEffort(effort)}. Log progress with: ${parts.command} log TEXT (it goes to ${logPath(effort)}).`
    const room = (findAgent(call.event.agent)?.contextLimit ?? 0) - LIST_RESERVE - head.length
    return [head, ...giveFiles(parts, view, room)]
  },
}

export const subagentStop: EventWork = {
  async after(parts, view, guarded) {
    const { session, effort } = view
    if (guarded.verdict.decision === 'deny' || session === null || session.subagent === null) return []
    if (effort !== null) {
      const { loadedFiles } = effort.metadata
      const merged = new Set([...(Array.isArray(loadedFiles) ? loadedFiles : []), ...session.loadedFiles])
      effort.metadata = { ...effort.metadata, loadedFiles: [...merged] }
      parts.rows.changed(effort)
    }
    view.facts.endedSession = session.id
    await closeWindow(parts, session)
    return []
  },
}
