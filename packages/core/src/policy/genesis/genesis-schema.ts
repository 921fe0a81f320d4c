// genesis.key as a JSON Schema, for editors. It is drawn from the lists that the readers hold a policy to; what a rule, a condition or the
// settings of a built-in hook or guardrail mean, only the readers know.

import { toSnakeCase } from '../../event/key-case.ts'
import { EVENTS } from '../../event/table.ts'
import { GUARDRAIL_NAMES } from '../../hook/guardrail-names.ts'
import { TOOL_NAMES } from '../../match/tool/tool-family.ts'
import { TOOL_KINDS } from '../../match/tool/tool-kind.ts'
import { DATA_SECTIONS, GUARD_TRIGGERS, HOOK_SOURCES } from './genesis-policy.ts'
import { SECTIONS } from './parse-genesis.ts'
import { GUARD_KEYS, INJECTIONS, URGENCIES } from './read-guards.ts'
import { CONFIG_KEYS, TYPES } from './read-handler.ts'
import { ENTRY_KEYS, FAILURES } from './read-hooks.ts'
import { BLOCK_KEYS, DEFAULTS, EFFECTS, OPERATIONS } from './read-permissions.ts'
import { RULE_KEYS } from './read-rule.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

const TEXT = { type: 'string' }
const TEXTS = { type: 'array', items: TEXT }
const FLAG = { type: 'boolean' }
const MAPPING = { type: ['object', 'null'] }
const TEXT_MAPPING = { type: 'object', additionalProperties: TEXT }
const DURATION = {
  description: 'seconds (30), or a number with a unit (500ms, 30s, 5m)',
  anyOf: [
    { type: 'number', exclusiveMinimum: 0 },
    { type: 'string', pattern: '^\\s*\\d+(\\.\\d+)?\\s*(ms|s|m|h|d)\\s*$' },
  ],
}

/** A mapping with these keys and no others; what is not described may hold anything. */
function closed(keys: readonly string[], described: Readonly<Record<string, unknown>>, required: readonly string[] = []): JsonSchema {
  const properties = Object.fromEntries(keys.map(key => [key, described[key] ?? true]))
  return { type: 'object', additionalProperties: false, properties, ...(required.length === 0 ? {} : { required }) }
}

/** An editor says what is wrong in the one that is meant only where there are no two to choose from. */
function orNothing(schema: JsonSchema): JsonSchema {
  return typeof schema.type === 'string' ? { ...schema, type: [schema.type, 'null'] } : { anyOf: [{ type: 'null' }, schema] }
}

export function genesisSchema(): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A Belay policy (genesis.key)',
    $defs: { hook: hookSchema(), rule: ruleSchema() },
    ...closed(SECTIONS, {
      version: { description: 'the form of the file', enum: ['2.0', '1.0', 2, 1] },
      hooks: orNothing(hooksSchema()),
      hooks_from: orNothing({ description: 'whose hooks run; default: all', type: 'array', items: { enum: HOOK_SOURCES } }),
      permissions: orNothing(permissionsSchema()),
      guards: orNothing({ type: 'array', items: guardSchema() }),
      guardrails: orNothing(closed(GUARDRAIL_NAMES, Object.fromEntries(GUARDRAIL_NAMES.map(name => [name, MAPPING])))),
      tools: orNothing({
        description: 'what tools that nobody described are, by their names',
        type: 'object',
        additionalProperties: { enum: [...TOOL_KINDS, ...TOOL_NAMES] },
      }),
      ...Object.fromEntries(DATA_SECTIONS.map(name => [name, MAPPING])),
    }),
    // Files of the first form may carry sections and keys of their own.
    if: { required: ['version'], properties: { version: { enum: ['1.0', 1] } } },
    // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
    then: {},
    else: { properties: { permissions: orNothing(closed([...OPERATIONS, 'actors', 'default', 'defaults'], {})) } },
  }
}

function permissionsSchema(): JsonSchema {
  const rule = { anyOf: [{ ...TEXT, minLength: 1 }, { $ref: '#/$defs/rule' }] }
  const lists = Object.fromEntries(EFFECTS.map(effect => [effect, orNothing({ type: 'array', items: rule })]))
  const block = { ...lists, operations: orNothing(TEXTS), role: { type: ['string', 'null'] }, author_type: { type: ['string', 'null'] } }
  return {
    type: 'object',
    properties: {
      default: { description: 'what holds where no rule speaks of a call', enum: DEFAULTS },
      actors: orNothing({
        description: 'rules by actor, such as "agent:*" or "agent:executor"',
        type: 'object',
        additionalProperties: orNothing(closed(BLOCK_KEYS, block)),
      }),
    },
  }
}

function ruleSchema(): JsonSchema {
  return closed(RULE_KEYS, { rule: { ...TEXT, minLength: 1 }, id: TEXT, message: TEXT, match: TEXTS, not_match: TEXTS }, ['rule'])
}

function hooksSchema(): JsonSchema {
  const events = EVENTS.map(({ name }) => toSnakeCase(name))
  return {
    type: 'object',
    properties: Object.fromEntries(events.map(name => [name, orNothing({ type: 'array', items: { $ref: '#/$defs/hook' } })])),
    additionalProperties: orNothing({ type: 'array' }),
    // A name in another style is a slip that would leave a gate open.
    propertyNames: { pattern: '^[a-z0-9_]+$' },
  }
}

function hookSchema(): JsonSchema {
  const described = {
    matcher: TEXT,
    type: { enum: TYPES },
    name: TEXT,
    id: TEXT,
    config: { type: 'object' },
    condition: TEXT,
    fail: { description: 'what a failure of the hook means', enum: FAILURES },
    timeout: DURATION,
    parallel: FLAG,
    once: FLAG,
    async: FLAG,
    status_message: TEXT,
  }
  return { ...closed(ENTRY_KEYS, described, ['type']), allOf: Object.entries(TYPED_CONFIG).map(([type, keys]) => configOf(type, keys)) }
}

const TYPED_CONFIG: Readonly<Record<string, readonly string[]>> = {
  command: CONFIG_KEYS.command,
  http: CONFIG_KEYS.http,
  webhook: CONFIG_KEYS.http,
  prompt: CONFIG_KEYS.prompt,
  agent: CONFIG_KEYS.prompt,
  mcp_tool: CONFIG_KEYS.mcp_tool,
}

function configOf(type: string, keys: readonly string[]): JsonSchema {
  const described = {
    args: TEXTS,
    allowed_env: TEXTS,
    env: TEXT_MAPPING,
    headers: TEXT_MAPPING,
    input: MAPPING,
    timeout_sec: DURATION,
    command: { ...TEXT, minLength: 1 },
    url: { ...TEXT, pattern: '^[Hh][Tt][Tt][Pp][Ss]?://' },
    prompt: { ...TEXT, minLength: 1 },
    server: { ...TEXT, minLength: 1 },
    tool: { ...TEXT, minLength: 1 },
    cwd: TEXT,
    model: TEXT,
    shell: { enum: ['bash', 'sh', 'powershell'] },
    answers: { enum: ['genesis', 'settings'] },
    method: { enum: ['POST', 'PUT'] },
  }
  const required = keys.slice(0, type === 'mcp_tool' ? 2 : 1)
  return {
    if: { required: ['type'], properties: { type: { const: type } } },
    // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
    then: { required: ['config'], properties: { config: closed(keys, described, required) } },
  }
}

function guardSchema(): JsonSchema {
  const trigger = closed(['type', 'condition'], { type: { enum: GUARD_TRIGGERS }, condition: TEXT }, ['type'])
  const described = {
    id: TEXT,
    trigger,
    text: TEXT,
    urgency: { enum: URGENCIES },
    inject: { enum: INJECTIONS },
    priority: { type: 'number' },
    whitelist: { type: 'array' },
  }
  return closed(GUARD_KEYS, described, ['id', 'trigger', 'text'])
}
