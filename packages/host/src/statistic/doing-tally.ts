// What each agent is at, as it is recorded: what it was asked last, which of its calls run, and what it said when its turn ended.
import { listAgents } from '@belay/core/adapter'
import { BoundedMap } from '@belay/core/value'
import { type Fields, fieldsIn, textIn } from './read-fields.ts'
import { inputText } from './record-row.ts'

export interface LastCall {
  readonly tool: string
  /** What it is called with; null: no field says it alone. */
  readonly text: string | null
}

export interface RunningCall extends LastCall {
  readonly sinceMs: number
  /** The agent's own id of the call; null: it gives none. */
  readonly callId: string | null
}

export interface AgentDoing {
  /** Null: nothing; undefined: what it was asked came before our time. */
  readonly asked: string | null | undefined
  /** Null: it is at work, or says nothing. */
  readonly said: string | null
  readonly call: LastCall | null
  /** By the name of the call, oldest first. Empty too where the agent does not say when calls end. */
  readonly running: ReadonlyMap<string, RunningCall>
}

export interface DoingTally {
  add(body: Fields, timeMs: number): void
  of(agentId: string): AgentDoing | undefined
  all(): IterableIterator<readonly [agentId: string, doing: AgentDoing]>
}

type Growing = { -readonly [K in Exclude<keyof AgentDoing, 'running'>]: AgentDoing[K] } & { readonly running: Map<string, RunningCall> }

const MAX_AGENTS = 5000
const MAX_RUNNING = 32
/** Far more than is shown: whatever is secret in what is shown lies in it whole. */
const KEPT_CHARACTERS = 16_000

export function createDoingTally(): DoingTally {
  const agents = new BoundedMap<string, Growing>(MAX_AGENTS)

  function growing(agentId: string): Growing {
    const doing = agents.get(agentId) ?? { asked: undefined, said: null, call: null, running: new BoundedMap(MAX_RUNNING) }
    agents.set(agentId, doing)
    return doing
  }

  return {
    add(body, timeMs) {
      const note = NOTES[textIn(body.event) ?? '']
      if (note !== undefined && typeof body.agentId === 'string') note(growing(body.agentId), body, timeMs)
    },
    of: agentId => agents.get(agentId),
    all: () => agents.entries(),
  }
}

type Note = (doing: Growing, body: Fields, timeMs: number) => void

const endCall: Note = ({ running }, body) => {
  running.delete(keyOf(body))
}

const NOTES: Readonly<Record<string, Note>> = {
  PreToolUse(doing, body, timeMs) {
    if (typeof body.tool !== 'string') return
    const call = callOf(body.tool, body)
    doing.call = call
    doing.said = null
    if (saysHowCallsEnd(textIn(body.agent)) && body.verdict !== 'deny' && body.verdict !== 'ask')
      doing.running.set(keyOf(body), { ...call, sinceMs: timeMs, callId: textIn(body.toolUseId) })
  },
  PostToolUse: endCall,
  PostToolUseFailure: endCall,
  UserPromptSubmit(doing, body) {
    doing.running.clear()
    doing.asked = keptText(fieldsIn(body.fields)?.prompt)
    doing.said = null
  },
  Stop(doing, body) {
    if (body.verdict === 'deny') return
    doing.running.clear()
    doing.said = keptText(fieldsIn(body.fields)?.lastAssistantMessage)
  },
  SessionStart(doing, body) {
    doing.running.clear()
    // The same work goes on in a session that is resumed or compacted.
    if (!['startup', 'clear'].includes(textIn(fieldsIn(body.fields)?.source) ?? '')) return
    doing.asked = null
    doing.said = null
  },
  SessionEnd: ({ running }) => running.clear(),
}

function callOf(tool: string, { input }: Fields): LastCall {
  const given = fieldsIn(input)
  return { tool, text: given === null ? null : inputText(given) }
}

function keyOf(body: Fields): string {
  const tool = textIn(body.tool) ?? ''
  return textIn(body.toolUseId) ?? `${tool} ${callOf(tool, body).text}`
}

const SAY_ENDS: ReadonlySet<string> = new Set(
  listAgents()
    .filter(agent => ['PostToolUse', 'Stop'].every(event => Object.values(agent.events).includes(event)))
    .map(({ id }) => id),
)

/** Of an agent that does not, every call would run for ever. */
export function saysHowCallsEnd(agent: string | null): boolean {
  return agent !== null && SAY_ENDS.has(agent)
}

function keptText(value: unknown): string | null {
  const text = textIn(value)?.trim() ?? ''
  return text === '' ? null : text.slice(0, KEPT_CHARACTERS)
}
