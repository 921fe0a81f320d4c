// The `guards` and `guardrails` sections. Guards are checked whole; what a guardrail's config means is checked where it is switched on.

import { isMap, isScalar, isSeq } from 'yaml'
import { GUARDRAIL_NAMES } from '../../hook/guardrail-names.ts'
import type { ConfigProblem } from '../../value/config-problem.ts'
import { GUARD_TRIGGERS, type Guard, type GuardrailSetting } from './genesis-policy.ts'
import { readCondition } from './read-handler.ts'
import { readMatcher } from './read-hooks.ts'
import { readRule } from './read-rule.ts'
import {
  type Field,
  type Fields,
  isNothing,
  readChoice,
  readItems,
  readKnownFields,
  readNumber,
  readRecord,
  readText,
} from './yaml-read.ts'
import { type Node, placeOf, report, resolve, type YamlSource } from './yaml-source.ts'

export const GUARD_KEYS = ['id', 'trigger', 'text', 'urgency', 'inject', 'priority', 'whitelist']
export const URGENCIES = ['block', 'warn', 'inject'] as const
export const INJECTIONS = ['always', 'once'] as const

export function readGuards(source: YamlSource, section: Node): readonly Guard[] {
  if (isNothing(section)) return []
  const items = readItems(source, section, '`guards`') ?? []
  const guards = items.map(item => readGuard(source, item)).filter(guard => guard !== null)
  const seen = new Set<string>()
  for (const guard of guards) {
    if (seen.has(guard.id))
      source.problems.push({ severity: 'error', message: `two guards have the id \`${guard.id}\``, place: guard.place })
    seen.add(guard.id)
  }
  return guards
}

function readGuard(source: YamlSource, item: Node): Guard | null {
  const fields = readKnownFields(source, item, 'a guard', GUARD_KEYS)
  if (fields === null) return null
  const id = requireText(source, item, fields, 'id')
  const text = requireText(source, item, fields, 'text')
  const trigger = readTrigger(source, item, fields)
  const urgency = readOr(fields, 'urgency', 'warn', node => readChoice(source, node, '`urgency`', URGENCIES))
  const inject = readOr(fields, 'inject', 'always', node => readChoice(source, node, '`inject`', INJECTIONS))
  const priority = readOr(fields, 'priority', 0, node => readNumber(source, node, '`priority`'))
  const whitelist = readOr(fields, 'whitelist', [], node => readItems(source, node, '`whitelist`'))
  if (id === null || text === null || trigger === null) return null
  const rules = whitelist.map(each => readRule(source, each, 'allow')).filter(rule => rule !== null)
  return { id, text, trigger, urgency, inject, priority, whitelist: rules, place: placeOf(source, item) }
}

function readTrigger(source: YamlSource, guard: Node, fields: Fields): Guard['trigger'] | null {
  const field = fields.get('trigger')
  if (field === undefined) return report(source, guard, 'the guard has no `trigger`', 'add trigger: {type: heartbeat}')
  const trigger = readKnownFields(source, field.value, '`trigger`', ['type', 'condition'])
  if (trigger === null) return null
  const type = trigger.get('type')
  if (type === undefined) return report(source, field.value, '`trigger` has no `type`', `use one of ${GUARD_TRIGGERS.join(', ')}`)
  const kind = readChoice(source, type.value, '`trigger.type`', GUARD_TRIGGERS)
  if (kind === null) return null
  const condition = trigger.get('condition')
  if (condition === undefined) return { type: kind, condition: null }
  const read = kind === 'toolPattern' ? readMatcher : readCondition
  return { type: kind, condition: read(source, condition.value, '`trigger.condition`') }
}

/** Says what is wrong with the config of a guardrail; guardrails know, and policy may not import them. */
export type CheckGuardrail = (name: string, config: Readonly<Record<string, unknown>>) => readonly ConfigProblem[]

export function readGuardrails(source: YamlSource, section: Node, check: CheckGuardrail | null): readonly GuardrailSetting[] {
  if (isNothing(section)) return []
  const fields = readKnownFields(source, section, '`guardrails`', GUARDRAIL_NAMES)
  return [...(fields?.values() ?? [])].map(field => {
    const config = isNothing(field.value) ? {} : readRecord(source, field.value, `\`guardrails.${field.key}\``)
    if (config !== null && check !== null && GUARDRAIL_NAMES.some(name => name === field.key))
      reportConfig(source, field, check(field.key, config))
    return { name: field.key, config: config ?? {}, place: placeOf(source, field.keyNode) }
  })
}

function reportConfig(source: YamlSource, field: Field, problems: readonly ConfigProblem[]): void {
  for (const { path, message, remedy } of problems) {
    const node = nodeAt(source, field, path)
    report(source, node, `guardrail ${field.key}: ${message}`, remedy ?? `belay guardrails explain ${field.key} shows its settings`)
  }
}

/** As far down as the path leads. */
function nodeAt(source: YamlSource, { keyNode, value }: Field, path: readonly string[]): Node {
  const [step, ...rest] = path
  const node = resolve(source, value)
  if (step === undefined) return keyNode
  if (isSeq(node)) {
    const item = node.items[Number(step)] as Node
    return isNothing(item) ? keyNode : nodeAt(source, { key: step, keyNode: item, value: item }, rest)
  }
  const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && String(key.value) === step) : undefined
  return pair === undefined ? keyNode : nodeAt(source, { key: step, keyNode: pair.key as Node, value: pair.value as Node }, rest)
}

function requireText(source: YamlSource, guard: Node, fields: Fields, key: string): string | null {
  const field = fields.get(key)
  return field === undefined ? report(source, guard, `the guard has no \`${key}\``) : readText(source, field.value, `\`${key}\` of a guard`)
}

function readOr<T>(fields: Fields, key: string, fallback: NoInfer<T>, read: (node: Node) => T | null): T {
  const field = fields.get(key)
  return field === undefined ? fallback : (read(field.value) ?? fallback)
}
