// Events that say how an agent fares, and nothing else.
import { changeStatus } from '../status.ts'
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

export const configChange: EventWork = {
  after(parts) {
    parts.skills.invalidate()
    return []
  },
}

export function textOr(value: unknown, fallback: string): string {
  return typeof value === 'string' && value !== '' ? value : fallback
}
