// The parts of a call and what was said about each: from a record, or from a judgement made just now.
import { formatPlace } from '@belay/core'
import type { Judgement, PartJudgement, Rule } from '@belay/core/policy'
import type { RecordDetail, RecordPart, Verdict } from '../../page/record.ts'
import { isOwnProtection, OWN_PROTECTION, ruleWords } from '../../statistic/decided-by.ts'
import { type Fields, fieldsIn, listIn, numberIn, textIn } from '../../statistic/read-fields.ts'
import { verdictIn } from '../../statistic/record-row.ts'

/** The parts of a record, with what it says once for several of them in each. */
export function listParts(body: Fields): readonly Fields[] {
  return listIn(body.parts).map(part => wholePart(part, body))
}

/** The part that decided; null: none did. */
export function decidingPart(body: Fields): Fields | null {
  const { decidedBy } = body
  const part = typeof decidedBy === 'number' ? listIn(body.parts)[decidedBy] : fieldsIn(decidedBy)
  return part === undefined || part === null ? null : wholePart(part, body)
}

function wholePart(part: Fields, body: Fields): Fields {
  const path = fieldsIn(part.path)
  return {
    ...part,
    normal: part.normal ?? part.source,
    reason: part.reason ?? body.reason,
    ...(path === null ? {} : { path: { ...path, real: path.real === undefined ? path.lexical : path.real } }),
  }
}

export function recordedParts(body: Fields): readonly RecordPart[] {
  const uncovered = uncoveredVerdict(textIn(decidingPart(body)?.decision), body.verdict)
  return listParts(body).map(part => {
    const span = fieldsIn(part.span)
    const path = fieldsIn(part.path)
    return {
      what: textIn(part.what) ?? 'call',
      source: textIn(part.source) ?? '',
      normal: textIn(part.normal) ?? '',
      start: numberIn(span?.start),
      end: numberIn(span?.end),
      decision: partVerdict(part.decision, uncovered),
      rule: typeof part.rule === 'string' ? ruleWords(part.rule, body) : isOwnProtection(part) ? OWN_PROTECTION : null,
      reason: textIn(part.reason) ?? '',
      lexicalPath: textIn(path?.lexical),
      realPath: textIn(path?.real),
    }
  })
}

export function judgedParts({ parts, decidedBy, verdict }: Judgement): readonly RecordPart[] {
  const uncovered = uncoveredVerdict(decidedBy?.decision ?? null, verdict.decision)
  return parts.map(part => describePart(part, uncovered))
}

function describePart(part: PartJudgement, uncovered: Verdict): RecordPart {
  const { what, source, normal, span, rule, reason, path } = part
  return {
    what,
    source,
    normal,
    start: span?.start ?? null,
    end: span?.end ?? null,
    decision: partVerdict(part.decision, uncovered),
    rule: rule?.text ?? (isOwnProtection({ ...part }) ? OWN_PROTECTION : null),
    reason,
    lexicalPath: path?.lexical ?? null,
    realPath: path?.real ?? null,
  }
}

/** What no rule covers is decided by the default, and that shows only where such a part decided. */
function uncoveredVerdict(decidedBy: string | null, verdict: unknown): Verdict {
  return decidedBy === 'default' ? verdictIn(verdict) : 'none'
}

function partVerdict(decision: unknown, uncovered: Verdict): Verdict {
  return decision === 'default' ? uncovered : verdictIn(decision)
}

type RuleShown = NonNullable<RecordDetail['rule']>

export function recordedRule(body: Fields): RuleShown | null {
  const rule = fieldsIn(body.rule)
  if (rule === null) return null
  return { id: textIn(rule.id) ?? '', effect: textIn(rule.effect) ?? '', text: textIn(rule.text) ?? '', place: textIn(rule.place) }
}

export function judgedRule(rule: Rule | null): RuleShown | null {
  if (rule === null) return null
  return { id: rule.id, effect: rule.effect, text: rule.text, place: rule.place === undefined ? null : formatPlace(rule.place) }
}
