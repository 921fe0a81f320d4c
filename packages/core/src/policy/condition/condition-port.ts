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
    const fields = { ...fieldsOf(event), ...stateOf(event) }
    const result = evaluateCondition(condition.condition, fields)
    // A hook that holds for any of the names holds for the call.
    for (const name of event.alsoAs ?? []) {
      if (!result.ok || result.value) return result
      const under = evaluateCondition(condition.condition, { ...fields, actor: actorFields(name) })
      if (!under.ok || under.value) return under
    }
    return result
  }
}

function fieldsOf(event: HookEvent): ConditionFields {
  const { toolName, toolInput } = event.fields
  const payload = Object.fromEntries(Object.entries(event.fields).map(([name, value]) => [toSnakeCase(name), value]))
  return {
    event: { ...payload, name: event.name, tool: toolName, input: toolInput },
    actor: actorFields(event.actor),
    session: { id: event.sessionId, agent: event.agent },
    commitment: event.commitment === null ? null : { id: event.commitment },
  }
}

/** `agent:executor` is an agent in the role of executor. */
function actorFields(id: string): { readonly id: string; readonly kind: string; readonly role: string } {
  const colon = id.indexOf(':')
  return colon === -1 ? { id, kind: id, role: '' } : { id, kind: id.slice(0, colon), role: id.slice(colon + 1) }
}
