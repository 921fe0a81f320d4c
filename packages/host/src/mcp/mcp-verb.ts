// The engine's verbs as MCP tools: what an agent may say, and the RPC method it becomes. Who says it is never among the arguments.
import { isObject } from '@belay/core/value'

export interface McpVerb {
  readonly name: string
  readonly description: string
  /** Fields of its input; a `?` marks one that may be absent. */
  readonly fields: Readonly<Record<string, Field>>
  readonly method: string
  readonly isReadOnly: boolean
}

type Kind = 'text' | 'texts' | 'flag' | 'object'

export interface Field {
  readonly kind: Kind | `${Kind}?`
  readonly about: string
  readonly choices?: readonly string[]
}

const text = (about: string): Field => ({ kind: 'text', about })
const maybeText = (about: string): Field => ({ kind: 'text?', about })
const target = text('the commitment, such as cmt_1a2b3c4d')
const tier: Field = {
  kind: 'text?',
  about: 't1 closes by itself, t2 too but can be reopened for a day, t3 is reviewed',
  choices: ['t1', 't2', 't3'],
}
const tags: Field = { kind: 'texts?', about: 'words to find it by' }

export const MCP_VERBS: readonly McpVerb[] = [
  verb('mentu_capture', 'Note something worth keeping.', 'commitments.capture', { text: text('what was seen'), tags }),
  verb('mentu_commit', 'Promise a piece of work.', 'commitments.commit', {
    text: text('what will be done'),
    source: maybeText('the memory it comes from'),
    tier,
    review: { kind: 'flag?', about: 'somebody else has to approve it' },
    tags,
  }),
  verb('mentu_claim', 'Take a commitment on.', 'commitments.claim', { target }),
  verb('mentu_release', 'Give a commitment back.', 'commitments.release', { target, text: maybeText('why') }),
  verb('mentu_annotate', 'Say something about a commitment.', 'commitments.annotate', { target, text: text('what to say') }),
  verb('mentu_evidence', 'Attach proof of work to a commitment.', 'commitments.evidence', {
    target,
    text: maybeText('a summary'),
    kind: { kind: 'text?', about: 'default custom', choices: ['build', 'test', 'pr', 'review', 'screenshot', 'custom'] },
    status: maybeText('such as passed'),
    url: maybeText('where it can be seen'),
    log: maybeText('what was printed'),
  }),
  verb('mentu_submit', 'Hand a commitment in for review, or finish it where none is needed.', 'commitments.submit', {
    target,
    text: maybeText('what was done'),
  }),
  verb('mentu_approve', "Approve somebody else's work.", 'commitments.approve', { target, text: maybeText('a remark') }),
  verb('mentu_reject', "Send somebody else's work back.", 'commitments.reject', { target, text: text('why') }),
  verb('mentu_close', 'Close a commitment.', 'commitments.close', { target, text: maybeText('a remark') }),
  question('mentu_commitments', 'List commitments of this project.', 'commitments.list', {
    state: maybeText('open, claimed, in_review, closed'),
    tag: maybeText('a tag'),
  }),
  question('mentu_show', 'Show a commitment with its history and what can be done next.', 'commitments.show', { id: target }),
  verb('effort_phase', 'Go on to the next phase of the effort, with proof.', 'effort.phase', {
    phase: text('its label'),
    proof: { kind: 'object?', about: 'what shows that the phase before is done' },
  }),
  verb('log', 'Write a progress entry; resets the heartbeat.', 'effort.log', { text: text('what was done and what comes next') }),
  verb('dehydrate', 'Hand over to the next session before the context window is full.', 'session.dehydrate', {
    payload: { kind: 'object', about: '{summary, done, remaining, decisions, files, nextStep}' },
  }),
  question('approvals_status', 'Calls that wait for a person, and how they stand. Only people decide them.', 'approvals.list', {}),
]

function verb(name: string, description: string, method: string, fields: McpVerb['fields']): McpVerb {
  return { name, description, method, fields, isReadOnly: false }
}

/** It changes nothing. */
function question(name: string, description: string, method: string, fields: McpVerb['fields']): McpVerb {
  return { ...verb(name, description, method, fields), isReadOnly: true }
}

type JsonSchema = Readonly<Record<string, unknown>>

export function inputSchemaOf({ fields }: Pick<McpVerb, 'fields'>): JsonSchema {
  const entries = Object.entries(fields)
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, field]) => [name, fieldSchema(field)])),
    required: entries.filter(([, { kind }]) => !kind.endsWith('?')).map(([name]) => name),
    additionalProperties: false,
  }
}

/** What `inputSchemaOf` says, without a validator. */
export function fitsFields({ fields }: Pick<McpVerb, 'fields'>, input: unknown): input is JsonSchema {
  if (!isObject(input)) return false
  if (Object.keys(input).some(name => !Object.hasOwn(fields, name))) return false
  return Object.entries(fields).every(([name, field]) =>
    Object.hasOwn(input, name) ? fitsField(field, input[name]) : field.kind.endsWith('?'),
  )
}

function fitsField({ kind, choices }: Field, value: unknown): boolean {
  switch (kind.replace('?', '')) {
    case 'texts':
      return Array.isArray(value) && value.every(each => typeof each === 'string')
    case 'flag':
      return typeof value === 'boolean'
    case 'object':
      return isObject(value)
    default:
      return typeof value === 'string' && (choices === undefined || choices.includes(value))
  }
}

function fieldSchema({ kind, about, choices }: Field): JsonSchema {
  const described = { description: about }
  switch (kind.replace('?', '')) {
    case 'texts':
      return { ...described, type: 'array', items: { type: 'string' } }
    case 'flag':
      return { ...described, type: 'boolean' }
    case 'object':
      return { ...described, type: 'object' }
    default:
      return { ...described, type: 'string', ...(choices === undefined ? {} : { enum: choices }) }
  }
}
