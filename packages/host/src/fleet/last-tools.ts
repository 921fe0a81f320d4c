// The last tool each agent asked for, read off the feed. An entry is on its way as canonical JSON; on the path of every call it is searched,
// not parsed.
import type { EventFeed } from '../daemon/event-feed.ts'
import { carriesEntry } from '../page/published-row.ts'
import type { Store } from '../store/store.ts'

export interface LastTools {
  get(agentId: string): string | null
  /** Resolves when the calls before this daemon's time are known too. */
  ready(): Promise<void>
}

const MOST = 5000

export function followLastTools(feed: EventFeed, readBack: () => Promise<readonly string[]> = async () => []): LastTools {
  const tools = new Map<string, string>()
  feed.subscribe(null, ({ type, data }) => {
    const call = carriesEntry(type) ? readCall(data) : null
    if (call === null) return
    if (tools.size >= MOST && !tools.has(call.agentId)) tools.delete(tools.keys().next().value ?? '')
    tools.set(call.agentId, call.tool)
  })
  let reading: Promise<void> | null = null
  async function addEarlier(): Promise<void> {
    for (const text of await readBack()) {
      const call = findCall(text)
      if (call !== null && !tools.has(call.agentId)) tools.set(call.agentId, call.tool)
    }
  }
  return {
    get: agentId => tools.get(agentId) ?? null,
    ready() {
      reading ??= addEarlier().catch(error => {
        reading = null
        throw error
      })
      return reading
    },
  }
}

/** As far back as is quickly read, newest first. */
const READ_BACK = 5000

export function readEarlierCalls({ db }: Pick<Store, 'db'>): () => Promise<readonly string[]> {
  return async () => {
    const last = await db.selectFrom('ledger').select('seq').orderBy('seq', 'desc').limit(1).executeTakeFirst()
    const rows = await db
      .selectFrom('ledger')
      .select('body')
      .where('seq', '>', (last?.seq ?? 0) - READ_BACK)
      .where('kind', '=', 'pre_tool_use')
      .orderBy('seq', 'desc')
      .limit(MOST)
      .execute()
    return rows.map(({ body }) => `"kind":"pre_tool_use",${body}`)
  }
}

interface Call {
  readonly agentId: string
  readonly tool: string
}

function readCall(data: unknown): Call | null {
  if (typeof data !== 'object' || data === null) return null
  if ('text' in data && typeof data.text === 'string') return findCall(data.text)
  const { agentId, tool } = 'body' in data ? (data.body as { agentId?: unknown; tool?: unknown }) : {}
  return typeof agentId === 'string' && typeof tool === 'string' ? { agentId, tool } : null
}

/** Keys are sorted: of a call's own fields none that nests stands before `agentId` or behind `tool`. */
export function findCall(text: string): Call | null {
  if (!text.includes('"kind":"pre_tool_use"')) return null
  const agentId = readText(text, text.indexOf('"agentId":"'), '"agentId":')
  const tool = readText(text, text.lastIndexOf('"tool":"'), '"tool":')
  return agentId === null || tool === null ? null : { agentId, tool }
}

function readText(text: string, at: number, key: string): string | null {
  if (at < 0) return null
  const from = at + key.length
  let end = text.indexOf('"', from + 1)
  while (end > 0 && text[end - 1] === '\\') end = text.indexOf('"', end + 1)
  if (end < 0) return null
  try {
    return JSON.parse(text.slice(from, end + 1))
  } catch {
    return null
  }
}
