// The last call each agent asked for: as it was counted since this daemon started, and read back from the ledger for the time before. Those
// thousands of bodies are searched, not parsed.
import type { Store } from '../store/store.ts'
import { sharedText, wholeBody } from '../store/table/form.ts'

export interface LastCall {
  readonly tool: string
  /** What it is called with; null: no field says it alone. */
  readonly text: string | null
}

export interface LastTools {
  /** Without secrets. */
  get(agentId: string): LastCall | null
  /** Resolves when the calls before this daemon's time are known too. */
  ready(): Promise<void>
}

export interface LastToolsOptions {
  /** By agent id, as the agent named it. */
  readonly counted: ReadonlyMap<string, LastCall>
  redact(text: string): string
  /** Bodies of earlier calls, newest first. */
  readBack(): Promise<readonly string[]>
}

export function createLastTools({ counted, redact, readBack }: LastToolsOptions): LastTools {
  const earlier = new Map<string, string>()
  let reading: Promise<void> | null = null
  async function addEarlier(): Promise<void> {
    for (const body of await readBack()) {
      const call = findCall(body)
      if (call !== null && !earlier.has(call.agentId)) earlier.set(call.agentId, call.tool)
    }
  }
  return {
    get(agentId) {
      const call = counted.get(agentId)
      if (call !== undefined) return { tool: redact(call.tool), text: call.text === null ? null : cut(redact(call.text)) }
      const tool = earlier.get(agentId)
      return tool === undefined ? null : { tool, text: null }
    },
    ready() {
      reading ??= addEarlier().catch(error => {
        reading = null
        throw error
      })
      return reading
    },
  }
}

const TEXT_CHARACTERS = 200

/** Only after its secrets are out: half of one would not be known. */
function cut(text: string): string {
  return text.length <= TEXT_CHARACTERS ? text : `${text.slice(0, TEXT_CHARACTERS)}…`
}

/** As far back as is quickly read. */
const READ_BACK = 5000

export function readEarlierCalls({ db }: Pick<Store, 'db'>): () => Promise<readonly string[]> {
  return async () => {
    const last = await db.selectFrom('ledger').select('seq').orderBy('seq', 'desc').limit(1).executeTakeFirst()
    const rows = await db
      .selectFrom('ledger')
      .select(['body', sharedText().as('shared')])
      .where('seq', '>', (last?.seq ?? 0) - READ_BACK)
      .where('kind', '=', 'pre_tool_use')
      .orderBy('seq', 'desc')
      .limit(READ_BACK)
      .execute()
    return rows.map(wholeBody)
  }
}

interface Call {
  readonly agentId: string
  readonly tool: string
}

/** Keys are sorted: of a call's own fields none that nests stands before `agentId` or behind `tool`. */
function findCall(body: string): Call | null {
  const agentId = readText(body, body.indexOf('"agentId":"'), '"agentId":')
  const tool = readText(body, body.lastIndexOf('"tool":"'), '"tool":')
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
