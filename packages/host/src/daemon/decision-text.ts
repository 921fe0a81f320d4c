// The body of a decision as canonical JSON, field by field: its fields are known, so nothing is looked for or sorted, which takes half as long
// as writing it like any other value. Invariant: what canonicalJson makes of the same body.
import { canonicalJson, quoteJson } from '@belay/core/ledger'
import type { DecisionBody, PartRecord } from './decision-record.ts'

export function writeDecision(body: DecisionBody): string {
  const { decidedBy, parts } = body
  const decided = decidedBy === undefined ? '' : writePart(decidedBy)
  const agent = `{"agent":${quoteJson(body.agent)},"agentId":${quoteJson(body.agentId)},"answer":${writeAnswer(body.answer)}`
  const context = `${field('askedBy', body.askedBy)},"attended":${body.attended}${field('commitment', body.commitment)}${field('context', body.context)}`
  const place = `,"cwd":${quoteJson(body.cwd)}${decided === '' ? '' : `,"decidedBy":${decided}`}`
  const lost = `${field('degraded', body.degraded)}${field('dropped', body.dropped)}`
  const event = `,"event":${quoteJson(body.event)}${field('evidence', body.evidence)}${field('fields', body.fields)}`
  const call = `${field('hooks', body.hooks)}${field('input', body.input)}${field('nativeEvent', body.nativeEvent)}`
  const judged = `${field('parser', body.parser)}${parts === undefined ? '' : `,"parts":${writeParts(parts, decidedBy, decided)}`}`
  const why = `${field('paused', body.paused)}${field('rawTool', body.rawTool)}${field('reason', body.reason)}${field('rewrites', body.rewrites)}`
  const root = `,"root":${quoteJson(body.root)}${field('rule', body.rule)}${field('skipped', body.skipped)}`
  const times = `${body.timing === undefined ? '' : `,"timing":${writeTiming(body.timing)}`},"tookMs":${body.tookMs}`
  const tool = `${field('tool', body.tool)}${field('toolUseId', body.toolUseId)},"verdict":"${body.verdict}"}`
  // Joined and not added: an added text holds on to every piece of it, and thousands of them wait for the disk.
  return [agent, context, place, lost, event, call, judged, why, root, times, tool].join('')
}

function field(name: string, value: unknown): string {
  if (value === undefined) return ''
  return `,"${name}":${typeof value === 'string' ? quoteJson(value) : canonicalJson(value)}`
}

function writeAnswer({ exit, stderr, stdout }: DecisionBody['answer']): string {
  return `{"exit":${exit},"stderr":${quoteJson(stderr)},"stdout":${quoteJson(stdout)}}`
}

function writeParts(parts: readonly PartRecord[], decidedBy: PartRecord | undefined, decided: string): string {
  let text = ''
  for (const part of parts) text += `${text === '' ? '[' : ','}${part === decidedBy ? decided : writePart(part)}`
  return `${text}]`
}

function writePart({ decision, match, normal, path, reason, rule, source, span, what }: PartRecord): string {
  const found = `{"decision":"${decision}","match":${match === null ? 'null' : `"${match}"`},"normal":${quoteJson(normal)}`
  const why = `${field('path', path)},"reason":${quoteJson(reason)}${field('rule', rule)},"source":${quoteJson(source)}`
  return `${found}${why},"span":${span === null ? 'null' : `{"end":${span.end},"start":${span.start}}`},"what":"${what}"}`
}

function writeTiming({ approvalMs, decodeMs, encodeMs, hooksMs, permissionsMs }: NonNullable<DecisionBody['timing']>): string {
  const approval = approvalMs === undefined ? '' : `"approvalMs":${approvalMs},`
  const permissions = permissionsMs === undefined ? '' : `,"permissionsMs":${permissionsMs}`
  return `{${approval}"decodeMs":${decodeMs},"encodeMs":${encodeMs},"hooksMs":${hooksMs}${permissions}}`
}
