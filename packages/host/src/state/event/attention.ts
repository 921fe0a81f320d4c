// Events that say how an agent fares, and nothing else.
import { changeStatus, signalCoordinators } from '../status.ts'
import { keepMessage } from '../window.ts'
import type { EventWork } from './event-work.ts'

/** Notices that ask nobody for anything. */
const QUIET = new Set(['auth_success', 'elicitation_response', 'elicitation_complete'])

export const notification: EventWork = {
  after(parts, { agent, call }) {
    const { notificationType, message } = call.event.fields
    if (typeof notificationType === 'string' && QUIET.has(notificationType)) return []
    changeStatus(parts, agent, 'attention', textOr(message, 'wants attention'))
    return []
  },
}

export const permissionRequest: EventWork = {
  after(parts, { agent, call }, { verdict }) {
    // Decided here and now: nobody is waited for.
    if (verdict.decision === 'allow' || verdict.decision === 'deny') return []
    changeStatus(parts, agent, 'attention', `asks to use ${textOr(call.event.fields.toolName, 'a tool')}`)
    return []
  },
}

export const postToolUseFailure: EventWork = {
  async after(parts, { agent, session, call, isRepeat }) {
    const { toolName, error } = call.event.fields
    const content = `${textOr(toolName, 'a tool')} failed: ${textOr(error, 'no reason given')}`
    changeStatus(parts, agent, 'error', parts.redact(content.slice(0, 300)))
    if (session !== null && !isRepeat) await keepMessage(parts, session, { role: 'error', content, toolName: textOr(toolName, '') || null })
    return []
  },
}

export const teammateIdle: EventWork = {
  async after(parts, view, guarded) {
    const { teammateName } = view.call.event.fields
    if (typeof teammateName !== 'string' || teammateName === '' || guarded.verdict.decision === 'deny') return []
    const teammate = await parts.rows.agent(teammateName)
    // The agent that reports is the one that started the team.
    if (teammate.id !== view.agent.id) teammate.parent ??= view.agent.id
    changeStatus(parts, teammate, 'done')
    view.facts.signalled = await signalCoordinators(parts, teammate, `${teammate.id} is idle.`)
    return []
  },
}

export const taskCompleted: EventWork = {
  async after(parts, view, guarded) {
    if (guarded.verdict.decision === 'deny' || view.isRepeat) return []
    const { taskId, taskSubject, teammateName } = view.call.event.fields
    const doer = typeof teammateName === 'string' && teammateName !== '' ? await parts.rows.agent(teammateName) : view.agent
    const content = `${doer.id} completed task ${textOr(taskId, '')}: ${textOr(taskSubject, '')}`
    if (view.session !== null) await keepMessage(parts, view.session, { role: 'task', content })
    view.facts.signalled = await signalCoordinators(parts, doer, content)
    return []
  },
}

export const configChange: EventWork = {
  after(parts) {
    parts.skills.invalidate()
    parts.invalidatePolicies()
    return []
  },
}

function textOr(value: unknown, standIn: string): string {
  return typeof value === 'string' && value !== '' ? value : standIn
}
