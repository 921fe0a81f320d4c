// The `permissions` section: rules by actor (2.0), and who may do which operation on commitments (1.0).
import type { DefaultDecision, Rule, RuleEffect } from '../rule.ts'
import type { ActorBlock, GenesisPermissions, OperationGrant } from './genesis-policy.ts'
import { readRule } from './read-rule.ts'
import { suggest, suggestRemedy } from './suggest.ts'
import { type Field, type Fields, isMapNode, isNothing, readChoice, readFields, readItems, readKnownFields, readText } from './yaml-read.ts'
import { type Node, placeOf, report, warn, type YamlSource } from './yaml-source.ts'

export const DEFAULTS: readonly DefaultDecision[] = ['none', 'ask', 'deny', 'allow']
export const EFFECTS: readonly RuleEffect[] = ['allow', 'ask', 'deny']
const SECTION_KEYS = ['actors', 'default', 'defaults']
export const BLOCK_KEYS = [...EFFECTS, 'operations', 'role', 'author_type', 'author_types', 'description']
export const OPERATIONS = [
  'capture',
  'commit',
  'claim',
  'unclaim',
  'release',
  'annotate',
  'evidence',
  'submit',
  'approve',
  'reject',
  'close',
  'close_direct',
  'reopen',
  'dismiss',
  'link',
  'triage',
  'publish',
  'execute',
]

export interface ReadPermissions {
  readonly permissions: GenesisPermissions
  readonly operations: readonly OperationGrant[]
}

export function readPermissions(source: YamlSource, section: Node, version: '1.0' | '2.0'): ReadPermissions | null {
  const fields = isNothing(section) ? new Map<string, Field>() : readFields(source, section, '`permissions`')
  if (fields === null) return null
  const blocks = readActors(source, fields.get('actors'), version)
  const hasRules = blocks.some(({ block }) => block.allow.length + block.ask.length + block.deny.length > 0)
  const fallback: DefaultDecision = version === '2.0' || hasRules ? 'ask' : 'none'
  const given = fields.get('default')
  const chosen = given === undefined ? null : readChoice(source, given.value, '`permissions.default`', DEFAULTS)
  return {
    permissions: { default: chosen ?? fallback, actors: blocks.map(({ block }) => block) },
    operations: [
      ...blocks.flatMap(({ operations }) => operations),
      ...readDefaults(source, fields.get('defaults')),
      ...readOperations(source, fields, version),
    ],
  }
}

interface ReadBlock {
  readonly block: ActorBlock
  readonly operations: readonly OperationGrant[]
}

function readActors(source: YamlSource, actors: Field | undefined, version: '1.0' | '2.0'): readonly ReadBlock[] {
  if (actors === undefined || isNothing(actors.value)) return []
  const fields = readFields(source, actors.value, '`permissions.actors`')
  const blocks = [...(fields?.values() ?? [])].map(field => readBlock(source, field, version))
  return blocks.filter(block => block !== null)
}

function readBlock(source: YamlSource, actor: Field, version: '1.0' | '2.0'): ReadBlock | null {
  if (isNothing(actor.value)) return { block: emptyBlock(source, actor), operations: [] }
  const what = `the actor \`${actor.key}\``
  const fields = version === '2.0' ? readKnownFields(source, actor.value, what, BLOCK_KEYS) : readOldBlock(source, actor, what)
  if (fields === null) return null
  const rules = (effect: RuleEffect): readonly Rule[] => readRules(source, fields.get(effect), effect, actor.key)
  const role = fields.get('role') ?? fields.get('author_type')
  const block: ActorBlock = {
    ...emptyBlock(source, actor),
    role: role === undefined || isNothing(role.value) ? null : readText(source, role.value, `\`${role.key}\` of ${what}`),
    allow: rules('allow'),
    ask: rules('ask'),
    deny: rules('deny'),
  }
  return { block, operations: readGrants(source, actor.key, fields.get('operations')) }
}

/** 1.0 files carry keys of their own; only a slip in the name of a rule list would be dangerous. */
function readOldBlock(source: YamlSource, actor: Field, what: string): Fields | null {
  const fields = readFields(source, actor.value, what)
  for (const field of fields?.values() ?? []) {
    const meant = BLOCK_KEYS.includes(field.key) ? null : suggest(field.key, BLOCK_KEYS)
    if (meant !== null) report(source, field.keyNode, `${what} has no key \`${field.key}\``, `did you mean ${meant}?`)
  }
  return fields
}

function emptyBlock(source: YamlSource, actor: Field): ActorBlock {
  return { actor: actor.key, role: null, allow: [], ask: [], deny: [], place: placeOf(source, actor.keyNode) }
}

function readRules(source: YamlSource, list: Field | undefined, effect: RuleEffect, actor: string): readonly Rule[] {
  if (list === undefined || isNothing(list.value)) return []
  const items = readItems(source, list.value, `\`${effect}\` of the actor \`${actor}\``) ?? []
  return items.map(item => readRule(source, item, effect)).filter(rule => rule !== null)
}

/** `defaults: {authenticated: {operations: [...]}}`: for whoever has no block. */
function readDefaults(source: YamlSource, defaults: Field | undefined): readonly OperationGrant[] {
  if (defaults === undefined || isNothing(defaults.value)) return []
  const fields = readKnownFields(source, defaults.value, '`permissions.defaults`', ['authenticated'])
  const authenticated = fields?.get('authenticated')
  if (authenticated === undefined || isNothing(authenticated.value)) return []
  const block = readKnownFields(source, authenticated.value, '`permissions.defaults.authenticated`', ['operations'])
  return readGrants(source, '*', block?.get('operations'))
}

function readGrants(source: YamlSource, actor: string, list: Field | undefined): readonly OperationGrant[] {
  if (list === undefined || isNothing(list.value)) return []
  const items = readItems(source, list.value, `\`operations\` of the actor \`${actor}\``) ?? []
  return items.flatMap(item => {
    const operation = readText(source, item, 'an operation')
    if (operation === null) return []
    checkOperation(source, item, operation)
    return [{ by: 'actor' as const, operation, effect: 'allow' as const, actor, place: placeOf(source, item) }]
  })
}

/** 1.0: `close: {allow: ["human:*"], deny: ["agent:*"]}` beside or instead of `actors`. */
function readOperations(source: YamlSource, fields: Fields, version: '1.0' | '2.0'): readonly OperationGrant[] {
  const grants: OperationGrant[] = []
  for (const field of fields.values()) {
    if (SECTION_KEYS.includes(field.key)) continue
    const isOperation = OPERATIONS.includes(field.key) || (version === '1.0' && isMapNode(source, field.value))
    if (!isOperation || (version === '1.0' && suggest(field.key, SECTION_KEYS) !== null)) {
      report(source, field.keyNode, `\`permissions\` has no key \`${field.key}\``, suggestRemedy(field.key, SECTION_KEYS))
      continue
    }
    checkOperation(source, field.keyNode, field.key)
    grants.push(...readOperation(source, field))
  }
  return grants
}

function readOperation(source: YamlSource, operation: Field): readonly OperationGrant[] {
  const lists = readKnownFields(source, operation.value, `the operation \`${operation.key}\``, ['allow', 'deny'])
  return (['allow', 'deny'] as const).flatMap(effect => {
    const list = lists?.get(effect)
    const items = list === undefined || isNothing(list.value) ? [] : (readItems(source, list.value, `\`${operation.key}.${effect}\``) ?? [])
    return items.flatMap(item => {
      const actor = readText(source, item, 'an actor')
      return actor === null ? [] : [{ by: 'operation' as const, operation: operation.key, effect, actor, place: placeOf(source, item) }]
    })
  })
}

function checkOperation(source: YamlSource, node: Node, operation: string): void {
  if (OPERATIONS.includes(operation)) return
  warn(source, node, `the operation \`${operation}\` is not known`, suggestRemedy(operation, OPERATIONS))
}
