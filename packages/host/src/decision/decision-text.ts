// The body of a decision as canonical JSON, field by field: its fields are known, so nothing is looked for or sorted, which takes half as long
// as writing it like any other value. Invariant: what canonicalJson makes of the same body.
import { canonicalJson, quoteJson } from '@belay/core/ledger'
import type { DecisionBody, PartRecord } from './decision-record.ts'

export function writeDecision(body: DecisionBody): string {
  const { decidedBy, parts } = body
  const agent = `{"agent":${quoteJson(body.agent)},"agentId":${quoteJson(body.agentId)}${field('alsoAs', body.alsoAs)},"answer":${writeAnswer(body.answer)}`
  const attended = `${field('askedBy', body.askedBy)},"attended":${body.attended}${field('changed', body.changed)}`
  const context = `${field('commitment', body.commitment)}${field('context', body.context)}`
  const place = `,"cwd":${quoteJson(body.cwd)}${decidedBy === undefined ? '' : `,"decidedBy":${typeof decidedBy === 'number' ? decidedBy : writePart(decidedBy)}`}`
  const lost = `${field('degraded', body.degraded)}${field('dropped', body.dropped)}`
  const event = `,"event":${quoteJson(body.event)}${field('evidence', body.evidence)}${field('fields', body.fields)}`
  const call = `${field('hooks', body.hooks)}${field('input', body.input)}${field('judge', body.judge)}${field('line', body.line)}${field('nativeEvent', body.nativeEvent)}`
  const judged = `${field('parser', body.parser)}${parts === undefined ? '' : `,"parts":[${parts.map(writePart).join(',')}]`}`
  const why = `${field('paused', body.paused)}${field('rawTool', body.rawTool)}${field('reason', body.reason)}${field('refusedNames', body.refusedNames)}${field('request', body.request)}${field('rewrites', body.rewrites)}`
  const root = `,"root":${quoteJson(body.root)}${field('rule', body.rule)}${field('skipped', body.skipped)}${field('stop', body.stop)}`
  const times = `${body.timing === undefined ? '' : `,"timing":${writeTiming(body.timing)}`},"tookMs":${body.tookMs}`
  const tool = `${field('tool', body.tool)}${field('toolUseId', body.toolUseId)}${field('unknownHost', body.unknownHost)},"verdict":"${body.verdict}"}`
  // Joined and not added: an added text holds on to every piece of it, and thousands of them wait for the disk.
  return [agent, attended, context, place, lost, event, call, judged, why, root, times, tool].join('')
}

function field(name: string, value: unknown): string {
  if (value === undefined) return ''
  return `,"${name}":${typeof value === 'string' ? quoteJson(value) : canonicalJson(value)}`
}

function writeAnswer({ exit, stderr, stdout }: DecisionBody['answer']): string {
  return `{"exit":${exit},"stderr":${quoteJson(stderr)},"stdout":${quoteJson(stdout)}}`
}

function writePart({ decision, match, normal, path, reason, rule, source, span, what }: PartRecord): string {
  const found = `{"decision":"${decision}","match":${match === null ? 'null' : `"${match}"`}${field('normal', normal)}`
  const why = `${path === undefined ? '' : writePath(path)}${field('reason', reason)}${field('rule', rule)},"source":${quoteJson(source)}`
  return `${found}${why},"span":${span === null ? 'null' : `{"end":${span.end},"start":${span.start}}`},"what":"${what}"}`
}

function writePath({ lexical, real }: NonNullable<PartRecord['path']>): string {
  return `,"path":{"lexical":${quoteJson(lexical)}${field('real', real)}}`
}

function writeTiming({ approvalMs, decodeMs, encodeMs, hooksMs, permissionsMs }: NonNullable<DecisionBody['timing']>): string {
  const approval = approvalMs === undefined ? '' : `"approvalMs":${approvalMs},`
  const permissions = permissionsMs === undefined ? '' : `,"permissionsMs":${permissionsMs}`
  return `{${approval}"decodeMs":${decodeMs},"encodeMs":${encodeMs},"hooksMs":${hooksMs}${permissions}}`
}
