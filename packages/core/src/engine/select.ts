// Which hooks of a plan an occurrence concerns. Asked at each hook's turn, because a rewrite may make a later one match.
import type { EventSpec } from '../event/event-spec.ts'
import type { HookEvent } from '../hook/hook-event.ts'
import { mentuVerb } from '../match/tool/mentu-verb.ts'
import type { HookMatchInput, HookPorts, RegisteredHook } from '../registry/registered-hook.ts'
import type { Registry } from '../registry/registry.ts'
import type { SkipReason } from './fire-result.ts'

/** Null: the hook runs, also when its matcher is a function that throws: better one run too many than a gate that stands open. */
export function whySkipped(hook: RegisteredHook, subject: HookMatchInput, registry: Registry): SkipReason | null {
  try {
    if (hook.definition.once === true && registry.isRetired(hook, subject.event.sessionId)) return 'once'
    return compare(hook, subject, registry.ports)
  } catch {
    return null
  }
}

function compare(hook: RegisteredHook, subject: HookMatchInput, ports: HookPorts): SkipReason | null {
  if (!hook.matcher.test(subject)) return 'matcher'
  if (hook.onlyIf !== null && (subject.value === null || !hook.onlyIf.test(subject))) return 'only-if'
  return isConditionFalse(hook, subject.event, ports) ? 'condition' : null
}

/** A condition that cannot be told counts as true: the gate closes. */
function isConditionFalse({ definition }: RegisteredHook, event: HookEvent, { evaluateCondition }: HookPorts): boolean {
  if (definition.condition === undefined || evaluateCondition === undefined) return false
  const outcome = evaluateCondition(definition.condition, event)
  return outcome.ok && !outcome.value
}

/** Claude Code calls the tool Agent that its model calls Task, and lets matchers use either name. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = { Agent: ['Task'], Task: ['Agent'] }

export function subjectOf(event: HookEvent, spec: EventSpec | null): HookMatchInput {
  const value = matcherValue(event, spec)
  const aliases = spec?.matchField === 'toolName' && value !== null ? otherNames(value) : undefined
  return aliases === undefined ? { value, event } : { value, aliases, event }
}

function otherNames(tool: string): readonly string[] | undefined {
  if (Object.hasOwn(OTHER_NAMES, tool)) return OTHER_NAMES[tool]
  const verb = mentuVerb(tool)
  return verb === null ? undefined : [verb]
}

/** An event that has a matcher field but came without it is compared as the empty text. */
function matcherValue({ fields }: HookEvent, spec: EventSpec | null): string | null {
  if (spec === null || spec.matchField === null) return null
  const value = fields[spec.matchField]
  const text = typeof value === 'string' ? value : ''
  return spec.matchAs === 'file-name' ? text.slice(text.search(/[^/\\]*$/)) : text
}
