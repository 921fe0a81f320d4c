// What a test file of a policy may hold. Files are held to this schema, and editors get the same one.
import type { JsonSchema } from '@belay/core/policy'

const VERDICTS = ['allow', 'ask', 'deny', 'none']

const CALL = {
  description: 'a call: `Tool(argument)` as a rule would name it, or the tool with its whole input',
  anyOf: [
    { type: 'string', minLength: 1 },
    {
      type: 'object',
      required: ['tool'],
      additionalProperties: false,
      properties: { tool: { type: 'string', minLength: 1 }, input: { type: 'object' } },
    },
  ],
}

const EVENT = { description: 'default PreToolUse', type: 'string' }

const EXPECTED = {
  expect: { description: 'what must come of it; none: nothing has an opinion, so the agent itself decides', enum: VERDICTS },
  rule: { description: 'what must decide: the id or the text of a rule, or the name of a hook', type: 'string', minLength: 1 },
  reason: { description: 'text that the reason must hold', type: 'string', minLength: 1 },
}

const PLACE = {
  name: { description: 'what is tested', type: 'string' },
  actor: { description: 'who calls; default agent:claude-code', type: 'string', minLength: 1 },
  cwd: { description: 'the directory of the call, below the project; default: the project itself', type: 'string' },
  commitment: { description: 'the commitment that the caller has claimed', type: 'string' },
}

const STEP = {
  type: 'object',
  required: ['call'],
  additionalProperties: false,
  properties: { call: CALL, event: EVENT, ...EXPECTED },
}

const CASE = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...PLACE,
    ...EXPECTED,
    event: EVENT,
    call: CALL,
    calls: { description: 'several calls of which the same is expected', type: 'array', minItems: 1, items: CALL },
    session: { description: 'calls one after the other in one session', type: 'array', minItems: 1, items: STEP },
  },
  oneOf: [{ required: ['call', 'expect'] }, { required: ['calls', 'expect'] }, { required: ['session'] }],
}

export const CASE_SCHEMA: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Tests of a Belay policy (*.test.yaml)',
  type: 'object',
  required: ['tests'],
  additionalProperties: false,
  properties: {
    policy: { description: 'the policy that is tested; default: the .key file of the same name in the same folder', type: 'string' },
    actor: PLACE.actor,
    links: {
      description: 'symbolic links of the imagined project: a path to what it leads to',
      type: 'object',
      additionalProperties: { type: 'string' },
    },
    never: {
      description:
        'what no call may do, whatever its spelling: `network`, or a rule such as `Write(.env*)`; belay policy prove searches for one',
      type: 'array',
      minItems: 1,
      items: {
        anyOf: [
          { type: 'string', minLength: 1 },
          {
            type: 'object',
            required: ['never'],
            additionalProperties: false,
            properties: { never: { type: 'string', minLength: 1 }, actor: PLACE.actor },
          },
        ],
      },
    },
    tests: { type: 'array', items: CASE },
  },
}
