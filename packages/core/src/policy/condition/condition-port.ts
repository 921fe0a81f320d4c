// How hooks ask about their conditions: text and event in, an outcome out. Each text is compiled once.
import { toSnakeCase } from '../../event/key-case.ts'
import type { HookEvent } from '../../hook/hook-event.ts'
import { type CompiledCondition, type ConditionResult, compileCondition, evaluateCondition } from './condition.ts'
import type { ConditionFields } from './condition-fields.ts'

/** What the host knows beyond the event: session, effort, task, commitment. */
export type StateOf = (event: HookEvent) => Omit<ConditionFields, 'event' | 'actor'>

export function createConditionPort(stateOf: StateOf = () => ({})): (text: string, event: HookEvent) => ConditionResult {
  const compiled = new Map<string, CompiledCondition>()
  return (text, event) => {
    const condition = compiled.get(text) ?? compileCondition(text)
    compiled.set(text, condition)
    if (!condition.ok) return { ok: false, why: condition.error.message }
    return evaluateCondition(condition.condition, { ...fieldsOf(event), ...stateOf(event) })
  }
}

function fieldsOf(event: HookEvent): ConditionFields {
  const { toolName, toolInput } = event.fields
  const payload = Object.fromEntries(Object.entries(event.fields).map(([name, value]) => [toSnakeCase(name), value]))
  const [kind = '', role = ''] = splitActor(event.actor)
  return {
    event: { ...payload, name: event.name, tool: toolName, input: toolInput },
    actor: { id: event.actor, kind, role },
    session: { id: event.sessionId, agent: event.agent },
    commitment: event.commitment === null ? null : { id: event.commitment },
  }
}

/** `agent:executor` is an agent in the role of executor. */
function splitActor(actor: string): readonly string[] {
  const colon = actor.indexOf(':')
  return colon === -1 ? [actor] : [actor.slice(0, colon), actor.slice(colon + 1)]
}
