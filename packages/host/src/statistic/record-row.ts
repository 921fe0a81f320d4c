// One entry as one line of a list. Made from what was recorded, so it holds no secret that was taken out.
import type { Entry } from '@belay/core/ledger'
import type { RecordRow, Verdict } from '../page/record.ts'
import { decidedBy } from './decided-by.ts'
import { type Fields, fieldsIn, listIn, numberIn, parseFields, textIn } from './read-fields.ts'

/** The columns a line needs, and the body as it was recorded. */
export type RowSource = Pick<Entry, 'seq' | 'id' | 'time' | 'actor' | 'session' | 'kind'>

const SUMMARY_CHARACTERS = 300

export function recordRow(entry: Entry): RecordRow {
  return rowOf(entry, parseFields(entry.body))
}

export function rowOf({ seq, id, time, actor, session, kind }: RowSource, body: Fields): RecordRow {
  return {
    seq,
    id,
    time,
    kind,
    actor,
    session,
    agent: textIn(body.agent),
    agentId: textIn(body.agentId),
    project: textIn(body.root),
    event: textIn(body.event),
    tool: textIn(body.tool),
    summary: cut(summarize(body)),
    verdict: verdictOf(kind, body),
    isRewritten: listIn(body.rewrites).length > 0,
    hasFailedHook: listIn(body.hooks).some(run => run.error !== undefined),
    rule: textIn(fieldsIn(body.rule)?.id) ?? textIn(body.rule),
    ...decidedBy(body),
    reason: cutOrNull(textIn(body.reason)),
    commitment: textIn(body.commitment),
    tookMs: numberIn(body.tookMs),
    callId: textIn(body.toolUseId),
    approval: textIn(body.approval) ?? textIn(body.request),
  }
}

export function verdictIn(value: unknown): Verdict {
  return value === 'allow' || value === 'deny' || value === 'ask' ? value : 'none'
}

/** The command, path, URL, prompt or text that an entry is about; empty: it has none. */
export function summarize(body: Fields): string {
  const input = fieldsIn(body.input)
  if (input !== null) return mainText(input)
  const inside = firstText(fieldsIn(body.item) ?? {}, ITEM_TEXTS) ?? firstText(fieldsIn(body.fields) ?? {}, FIELD_TEXTS)
  return firstText(body, OWN_TEXTS) ?? inside ?? ''
}

/** What a tool is called with, as people read it. */
export function mainText(input: Fields): string {
  return inputText(input) ?? (Object.keys(input).length === 0 ? '' : JSON.stringify(input))
}

/** null: none of its fields says it alone. */
export function inputText(input: Fields): string | null {
  return firstText(input, INPUT_TEXTS)
}

const INPUT_TEXTS = ['command', 'file_path', 'notebook_path', 'path', 'url', 'query', 'pattern', 'prompt', 'description', 'skill', 'name']
const OWN_TEXTS = ['command', 'text', 'title', 'file', 'path', 'note', 'message', 'what']
/** Of evidence that somebody gave. */
const ITEM_TEXTS = ['summary', 'url', 'log']
const FIELD_TEXTS = [
  'prompt',
  'message',
  'lastAssistantMessage',
  'error',
  'reason',
  'source',
  'trigger',
  'taskSubject',
  'agentType',
  'filePath',
]

function firstText(fields: Fields, names: readonly string[]): string | null {
  for (const name of names) {
    const value = fields[name]
    if (typeof value === 'string' && value !== '') return value
    const bytes = numberIn(fieldsIn(value)?.bytes)
    if (bytes !== null && fieldsIn(value)?.$blob !== undefined) return `(${name}, ${bytes} bytes)`
  }
  return null
}

const APPROVAL_VERDICTS: Readonly<Record<string, Verdict>> = { pending: 'ask', allowed: 'allow', denied: 'deny' }

function verdictOf(kind: string, body: Fields): Verdict {
  if (kind.startsWith('approval_')) return APPROVAL_VERDICTS[textIn(body.state) ?? ''] ?? 'none'
  return verdictIn(body.verdict)
}

function cutOrNull(text: string | null): string | null {
  return text === null ? null : cut(text)
}

function cut(text: string): string {
  return text.length <= SUMMARY_CHARACTERS ? text : `${text.slice(0, SUMMARY_CHARACTERS - 1)}…`
}
