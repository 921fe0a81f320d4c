// The last tool each agent asked for, read off the feed.
import type { EventFeed } from '../daemon/event-feed.ts'

export interface LastTools {
  get(agentId: string): string | null
}

const MOST = 5000

export function followLastTools(feed: EventFeed): LastTools {
  const tools = new Map<string, string>()
  feed.subscribe(null, ({ type, data }) => {
    if (type !== 'decision') return
    const { agentId, tool } = (data as { body: { agentId?: unknown; tool?: unknown } }).body
    if (typeof agentId !== 'string' || typeof tool !== 'string') return
    if (tools.size >= MOST && !tools.has(agentId)) tools.delete(tools.keys().next().value ?? '')
    tools.set(agentId, tool)
  })
  return { get: agentId => tools.get(agentId) ?? null }
}
