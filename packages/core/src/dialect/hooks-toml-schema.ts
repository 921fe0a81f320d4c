// hooks.toml as a JSON Schema, for editors: drawn from the lists that the file is held to.
import type { JsonSchema } from '../policy/genesis/genesis-schema.ts'
import { hooksToml } from './agent/hooks-toml.ts'
import { FAILS, TIMEOUTS, TOP } from './check-own-hook.ts'

const TEXT = { type: 'string', minLength: 1 }
const FLAG = { type: 'boolean' }
const TEXT_MAPPING = { type: 'object', additionalProperties: { type: 'string' } }
const SECONDS = { type: 'number', exclusiveMinimum: 0 }

export function hooksTomlSchema(): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Belay hooks (hooks.toml)',
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(TOP.map(key => [key, key === 'hooks' ? { type: 'array', items: hookSchema() } : topKey(key)])),
  }
}

function topKey(key: string): JsonSchema | true {
  return /all_?hooks|hooks_?only/i.test(key) ? FLAG : true
}

function hookSchema(): JsonSchema {
  const common = {
    ...Object.fromEntries(TIMEOUTS.map(key => [key, SECONDS])),
    once: FLAG,
    fail: { description: 'what a failure means', enum: FAILS },
    async_mode: FLAG,
    async_timeout: { description: 'seconds, or a text such as "15s"', anyOf: [SECONDS, { type: 'string', pattern: '^\\d' }] },
  }
  return {
    type: 'object',
    required: ['event'],
    properties: {
      event: { enum: hooksToml.events },
      tool_matcher: { type: 'string' },
      name: { type: 'string' },
      status_message: { type: 'string' },
      sequential: FLAG,
      enabled: FLAG,
      ...common,
      shell: {
        type: 'object',
        required: ['command'],
        properties: { command: TEXT, pass_context: FLAG, parse_result: FLAG, cwd: TEXT, env: TEXT_MAPPING, shell: TEXT },
      },
      webhook: {
        type: 'object',
        required: ['url'],
        properties: {
          url: { type: 'string', pattern: '^[Hh][Tt][Tt][Pp][Ss]?://' },
          method: { type: 'string', pattern: '^([Pp][Oo][Ss][Tt]|[Pp][Uu][Tt])$' },
          headers: TEXT_MAPPING,
          allowed_env: { type: 'array', items: TEXT },
        },
      },
    },
  }
}
