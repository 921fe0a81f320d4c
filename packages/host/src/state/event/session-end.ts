// The window is gone; the effort stays.
import { changeStatus, signalCoordinators } from '../status.ts'
import { closeWindow } from '../window.ts'
import type { EventWork } from './event-work.ts'

export const sessionEnd: EventWork = {
  async after(parts, view) {
    const { agent, session } = view
    view.facts.endedSession = session?.id ?? null
    if (session !== null) await closeWindow(parts, session)
    changeStatus(parts, agent, 'done')
    view.facts.signalled = await signalCoordinators(parts, agent, `${agent.id} has ended its session.`)
    return []
  },
}
