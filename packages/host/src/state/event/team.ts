// Agents that work together: one that is idle, a task of the agent's own list that is completed. Coordinators are told, efforts end.
import { endEffort } from '../end-effort.ts'
import { changeStatus, signalCoordinators } from '../status.ts'
import { keepMessage } from '../window.ts'
import type { WorkParts } from '../work-parts.ts'
import type { AgentRow, EffortRow } from '../work-row.ts'
import { textOr } from './attention.ts'
import type { EventWork } from './event-work.ts'

export const teammateIdle: EventWork = {
  async after(parts, view, guarded) {
    const { teammateName, teamName } = view.call.event.fields
    if (typeof teammateName !== 'string' || teammateName === '' || guarded.verdict.decision === 'deny') return []
    const teammate = await parts.rows.agent(parts.cleanName(teammateName))
    // The agent that reports is the one that started the team.
    if (teammate.id !== view.agent.id) teammate.parent ??= view.agent.id
    if (typeof teamName === 'string' && teamName !== '') teammate.label ??= `${teammateName} of ${teamName}`
    changeStatus(parts, teammate, 'done')
    view.facts.signalled = await signalCoordinators(parts, teammate, `${teammate.id} is idle${describeClaims(teammate)}.`)
    return []
  },
}

/** What work it could be given. */
function describeClaims({ claims, targetedClaims }: AgentRow): string {
  const all = [...claims, ...targetedClaims.map(claim => claim.replace('@', ' in '))]
  return all.length === 0 ? '' : `; it takes ${all.join(', ')}`
}

export const taskCompleted: EventWork = {
  async after(parts, view, guarded) {
    if (guarded.verdict.decision === 'deny' || view.isRepeat) return []
    const { taskId, taskSubject, teammateName } = view.call.event.fields
    const doer =
      typeof teammateName === 'string' && teammateName !== '' ? await parts.rows.agent(parts.cleanName(teammateName)) : view.agent
    const task = { id: textOr(taskId, ''), subject: parts.redact(textOr(taskSubject, '')), by: doer.id }
    const content = `${doer.id} completed task ${task.id}: ${task.subject}`
    if (view.session !== null) await keepMessage(parts, view.session, { role: 'task', content })
    const effort = parts.rows.effort(doer.effortId) ?? view.effort
    if (effort !== null) view.facts.finishedEffort = await noteTask(parts, effort, task)
    view.facts.signalled = await signalCoordinators(parts, doer, content)
    return []
  },
}

interface CompletedTask {
  readonly id: string
  readonly subject: string
  readonly by: string
}

const MAX_TASKS = 200

/** Kept with the effort; the one the effort stands for ends it. */
async function noteTask(parts: WorkParts, effort: EffortRow, task: CompletedTask): Promise<number | null> {
  const { completedTasks, hostTask } = effort.metadata
  const before = Array.isArray(completedTasks) ? completedTasks : []
  effort.metadata = { ...effort.metadata, completedTasks: [...before, task].slice(-MAX_TASKS) }
  parts.rows.changed(effort)
  if (task.id === '' || hostTask !== task.id) return null
  const done = await endEffort(parts, effort.id)
  return done.ok ? effort.id : null
}
