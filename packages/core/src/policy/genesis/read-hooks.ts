// The `hooks` section: events in snake_case, each with a list of entries, in the order they will run.

import { toSnakeCase } from '../../event/key-case.ts'
import { EVENTS, findEvent } from '../../event/table.ts'
import type { HookDefinition } from '../../hook/hook-definition.ts'
import { compileMatcher } from '../../match/matcher.ts'
import { parseRule } from '../parse-rule.ts'
import { type CheckBuiltin, readCondition, readDuration, readHandler } from './read-handler.ts'
import { suggest, suggestRemedy } from './suggest.ts'
import { type Field, type Fields, isNothing, readChoice, readFields, readFlag, readItems, readText } from './yaml-read.ts'
import { type Node, placeOf, report, reportInText, warn, type YamlSource } from './yaml-source.ts'

export const ENTRY_KEYS = [
  'matcher',
  'type',
  'name',
  'id',
  'config',
  'condition',
  'fail',
  'timeout',
  'parallel',
  'once',
  'async',
  'status_message',
]
export const FAILURES = ['open', 'closed', 'ask'] as const
const CONFIG_KEYS = ['command', 'args', 'env', 'url', 'headers', 'prompt', 'model', 'reason', 'kind', 'ledger', 'approvers', 'timeout_sec']

export function readHooks(source: YamlSource, section: Node, checkBuiltin: CheckBuiltin | null): readonly HookDefinition[] {
  if (isNothing(section)) return []
  const events = readFields(source, section, '`hooks`')
  if (events === null) return []
  const hooks: HookDefinition[] = []
  for (const field of events.values()) {
    const event = readEventName(source, field)
    const entries = isNothing(field.value) ? [] : (readItems(source, field.value, `\`hooks.${field.key}\``) ?? [])
    for (const entry of entries) {
      const hook = readEntry(source, entry, event ?? field.key, checkBuiltin)
      if (hook !== null) hooks.push(hook)
    }
  }
  return hooks
}

/** A name close to a known event is a slip that would leave a gate open: an error. One that is close to none may be an agent's own. */
function readEventName(source: YamlSource, field: Field): string | null {
  const spec = findEvent(field.key)
  if (spec !== null && field.key !== spec.name) return spec.name
  const known = EVENTS.map(event => toSnakeCase(event.name))
  const meant = spec === null ? suggest(field.key, known) : toSnakeCase(spec.name)
  if (meant !== null) return report(source, field.keyNode, `there is no event \`${field.key}\``, `did you mean ${meant}?`)
  warn(
    source,
    field.keyNode,
    `the event \`${field.key}\` is not known: its hooks can decide nothing`,
    `known events are ${known.join(', ')}`,
  )
  return field.key
}

function readEntry(source: YamlSource, entry: Node, event: string, checkBuiltin: CheckBuiltin | null): HookDefinition | null {
  const fields = readFields(source, entry, 'a hook')
  if (fields === null) return null
  reportUnknownKeys(source, fields)
  const type = fields.get('type')
  if (type === undefined) return report(source, entry, 'the hook has no `type`', 'add type: deny, command, evidence_capture, ...')
  const read = readHandler(source, { type: type.value, config: fields.get('config')?.value, entry }, checkBuiltin)
  const options = readOptions(source, fields)
  if (read === null) return null
  const timeoutMs = options.timeoutMs ?? read.timeoutMs
  return {
    event,
    handler: read.handler,
    scope: 'policy',
    order: options.isParallel ? 'group' : 'sequence',
    ...options.definition,
    ...(timeoutMs === null ? {} : { timeoutMs }),
    place: placeOf(source, entry),
  }
}

interface Options {
  readonly definition: Pick<HookDefinition, 'name' | 'matcher' | 'condition' | 'fail' | 'once' | 'async' | 'statusMessage'>
  readonly timeoutMs: number | null
  readonly isParallel: boolean
}

function readOptions(source: YamlSource, fields: Fields): Options {
  const read = <T>(key: string, reader: (source: YamlSource, node: Node, what: string) => T | null): T | null => {
    const field = fields.get(key)
    return field === undefined ? null : reader(source, field.value, `\`${key}\``)
  }
  const id = read('id', readText)
  const name = read('name', readText) ?? id
  const matcher = read('matcher', readMatcher)
  const condition = read('condition', readCondition)
  const fail = read('fail', (_, node, what) => readChoice(source, node, what, FAILURES))
  const once = read('once', readFlag)
  const async = read('async', readFlag)
  const statusMessage = read('status_message', readText)
  return {
    definition: {
      ...(name === null ? {} : { name }),
      ...(matcher === null ? {} : { matcher: { dialect: 'genesis', text: matcher } }),
      ...(condition === null ? {} : { condition }),
      ...(fail === null ? {} : { fail }),
      ...(once === null ? {} : { once }),
      ...(async === null ? {} : { async }),
      ...(statusMessage === null ? {} : { statusMessage }),
    },
    timeoutMs: read('timeout', readDuration),
    isParallel: read('parallel', readFlag) ?? false,
  }
}

export function readMatcher(source: YamlSource, node: Node, what: string): string | null {
  const text = readText(source, node, what)
  if (text === null) return null
  const { problem } = compileMatcher({ dialect: 'genesis', text }, { compileCall: checkPattern })
  if (problem === null) return text
  return reportInText(source, node, { ...problem, message: `${what} ${JSON.stringify(text)}: ${problem.message}` })
}

function checkPattern(pattern: string): { ok: true; test: () => boolean } | { ok: false; message: string } {
  const parsed = parseRule(pattern, { effect: 'deny', dialect: 'genesis' })
  return parsed.ok ? { ok: true, test: () => false } : { ok: false, message: parsed.problem.message }
}

function reportUnknownKeys(source: YamlSource, fields: Fields): void {
  for (const field of fields.values()) {
    if (ENTRY_KEYS.includes(field.key) || field.key === '<<') continue
    const inConfig = suggest(field.key, CONFIG_KEYS)
    const remedy = inConfig === null ? suggestRemedy(field.key, ENTRY_KEYS) : `put \`${inConfig}\` under \`config:\``
    report(source, field.keyNode, `a hook has no key \`${field.key}\``, remedy)
  }
}
