// Finds every permission rule in a tree, whatever its spelling: lists of strings, maps of decisions, objects, command lists.

import type { RuleDialect, RuleEffect } from '../policy/rule.ts'
import { type ConfigNode, field, itemsOf, type ObjectNode, objectField, textField, textOf, toValue } from './config-node.ts'

export interface FoundRule {
  readonly effect: RuleEffect
  /** The rule as its dialect spells it; null where it is an object that no rule text can say. */
  readonly text: string | null
  readonly dialect: RuleDialect
  readonly at: number
  /** genesis: whose rule. */
  readonly actor?: string
  /** opencode: the agent inside the file that it is for. */
  readonly agent?: string
  readonly value?: unknown
}

export function walkPermissions(root: ConfigNode | null): FoundRule[] {
  if (root?.kind !== 'object') return []
  return [
    ...fromPermissions(root),
    ...fromLists(root),
    ...fromToolPermissions(field(root, 'toolPermissions')),
    ...fromOpencode(root),
    ...fromGeminiPolicy(field(root, 'rule')),
  ]
}

const EFFECTS: readonly RuleEffect[] = ['allow', 'deny', 'ask']

function effectOf(text: string | undefined): RuleEffect | undefined {
  return EFFECTS.find(effect => effect === text)
}

/** `permissions: {allow, deny, ask}` as in Claude, Qwen and Cursor files; `permissions.actors` as in genesis.key. */
function fromPermissions(root: ObjectNode): FoundRule[] {
  const permissions = objectField(root, 'permissions')
  if (permissions === undefined) return []
  const actors = objectField(permissions, 'actors')
  if (actors !== undefined) return actors.entries.flatMap(({ key, value }) => fromActor(key, value))
  return EFFECTS.flatMap(effect => itemsOf(field(permissions, effect)).map(item => ruleOf(item, effect, 'claude')))
}

function fromActor(actor: string, block: ConfigNode): FoundRule[] {
  const rules = EFFECTS.flatMap(effect => itemsOf(field(block, effect)).map(item => ruleOf(item, effect, 'genesis')))
  const operations = itemsOf(field(block, 'operations')).map(
    (item): FoundRule => ({ effect: 'allow', text: null, dialect: 'genesis', at: item.at, value: toValue(item) }),
  )
  return [...rules, ...operations].map(rule => ({ ...rule, actor }))
}

function ruleOf(item: ConfigNode, effect: RuleEffect, dialect: RuleDialect): FoundRule {
  const text = textOf(item) ?? textField(item, 'pattern') ?? textField(item, 'rule')
  if (text !== undefined) return { effect, text, dialect, at: item.at }
  return { effect, text: null, dialect, at: item.at, value: toValue(item) }
}

/** Plain lists with a name of their own, by dotted path. */
const LISTS: readonly (readonly [path: string, effect: RuleEffect, dialect: RuleDialect])[] = [
  ['commandAllowlist', 'allow', 'factory'],
  ['commandDenylist', 'deny', 'factory'],
  ['coreTools', 'allow', 'gemini'],
  ['excludeTools', 'deny', 'gemini'],
  ['tools.core', 'allow', 'gemini'],
  ['tools.allowed', 'allow', 'gemini'],
  ['tools.exclude', 'deny', 'gemini'],
  ['allowedTools', 'allow', 'claude'],
]

function fromLists(root: ObjectNode): FoundRule[] {
  return LISTS.flatMap(([path, effect, dialect]) => {
    const list = path.split('.').reduce<ConfigNode | undefined>(field, root)
    return itemsOf(list).map(item => ruleOf(item, effect, dialect))
  })
}

/** Augment: `[{toolName, permission: {type}}]`. */
function fromToolPermissions(list: ConfigNode | undefined): FoundRule[] {
  return itemsOf(list).map(item => {
    const type = textField(field(item, 'permission'), 'type') ?? textField(item, 'permission')
    const effect = effectOf(type) ?? (type === 'ask-user' ? 'ask' : 'deny')
    return { effect, text: textField(item, 'toolName') ?? null, dialect: 'claude', at: item.at, value: toValue(item) }
  })
}

/** opencode: `permission: {bash: {"git *": "allow"}}`, for the project and for each agent. */
function fromOpencode(root: ObjectNode): FoundRule[] {
  const agents = objectField(root, 'agent')?.entries ?? []
  return [
    ...opencodeRules(field(root, 'permission'), []),
    ...agents.flatMap(({ key, value }) => opencodeRules(field(value, 'permission'), []).map(rule => ({ ...rule, agent: key }))),
  ]
}

function opencodeRules(node: ConfigNode | undefined, path: readonly string[]): FoundRule[] {
  if (node?.kind === 'object') return node.entries.flatMap(({ key, value }) => opencodeRules(value, [...path, key]))
  const effect = effectOf(textOf(node))
  if (node === undefined || effect === undefined) return []
  return [{ effect, text: path.length === 0 ? '*' : path.join(' :: '), dialect: 'opencode', at: node.at }]
}

/** Gemini policy files: `[[rule]] toolName, commandPrefix, decision`. */
function fromGeminiPolicy(list: ConfigNode | undefined): FoundRule[] {
  return itemsOf(list).flatMap((item): FoundRule[] => {
    const decision = textField(item, 'decision')
    if (decision === undefined) return []
    const effect = effectOf(decision) ?? (decision === 'ask_user' ? 'ask' : 'deny')
    const tool = textField(item, 'toolName') ?? '*'
    const prefix = textField(item, 'commandPrefix')
    return [{ effect, text: prefix === undefined ? tool : `${tool}(${prefix})`, dialect: 'gemini', at: item.at, value: toValue(item) }]
  })
}
