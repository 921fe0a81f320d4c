// The window is full and the host is about to shorten it by itself. The effort goes on in a new window instead; nothing is dehydrated here,
// it is too late for that.
import { findAgent } from '@belay/core/adapter'
import type { EventWork } from './event-work.ts'
import { handOver } from './stop.ts'

export const preCompact: EventWork = {
  async after(parts, view, guarded) {
    const { event } = view.call
    const isReal = event.fields.trigger === 'auto' && findAgent(event.agent)?.compactsForReal === true
    if (isReal && guarded.verdict.decision !== 'deny' && !view.isRepeat) await handOver(parts, view, 'the context window is full')
    return []
  },
}
