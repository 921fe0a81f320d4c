// Arguments that are neither commands nor paths: URLs, names of agents and skills, parameters of any tool.
import { globMatches } from '../match/glob.ts'
import { parseWebTarget, type WebTarget } from '../match/web/web-target.ts'
import { type EffectIndex, rulesFor } from './compile-rules.ts'
import { findDomainRule } from './domain-index.ts'
import { allowed, type Bench, forbidden, judged, type Subject, uncovered } from './judge-part.ts'
import type { PartJudgement } from './judgement.ts'
import type { Rule } from './rule.ts'

export function judgeUrl(bench: Bench, url: string): PartJudgement {
  const target = parseWebTarget(url)
  const subject: Subject = { what: 'call', source: url, normal: target.host ?? url, span: null }
  const find = (index: EffectIndex): Rule | null => findDomain(index, bench.call.tool, target, url)
  const denied = find(bench.compiled.deny)
  if (denied !== null) return forbidden(subject, denied, 'must')
  if (target.problem !== undefined) return judged(subject, { decision: 'ask', reason: target.problem })
  const asked = find(bench.compiled.ask)
  if (asked !== null) return forbidden(subject, asked, 'must')
  const rule = find(bench.compiled.allow)
  if (rule !== null) return allowed(subject, rule)
  const why = target.isAddress ? 'an address is allowed only by a rule that names it' : `no rule covers ${target.host ?? url}`
  return uncovered(subject, why)
}

function findDomain(index: EffectIndex, tool: string, target: WebTarget, url: string): Rule | null {
  for (const rules of rulesFor(index, tool)) {
    if (rules.any !== null && !(index.effect === 'allow' && target.isAddress)) return rules.any
    const found = rules.domains === null ? null : findDomainRule(rules.domains, target, index.effect)
    if (found !== null) return found
    const text = rules.texts.find(({ parameter, glob }) => parameter === null && globMatches(glob, url))
    if (text !== undefined) return text.rule
  }
  return null
}

/** The main text of a tool, such as the agent that a task is given to. */
export function judgeText(bench: Bench, text: string): PartJudgement {
  const subject: Subject = { what: 'call', source: text, normal: text, span: null }
  return judgeBy(bench, subject, index => findText(bench, index, text))
}

/** A tool without any argument that rules could speak about. */
export function judgeName(bench: Bench): PartJudgement {
  const { tool } = bench.call
  return judgeBy(bench, { what: 'call', source: tool, normal: tool, span: null }, index => findText(bench, index, null))
}

function judgeBy(bench: Bench, subject: Subject, find: (index: EffectIndex) => Rule | null): PartJudgement {
  const { deny, ask, allow } = bench.compiled
  const against = find(deny) ?? find(ask)
  if (against !== null) return forbidden(subject, against, 'must')
  const rule = find(allow)
  return rule === null ? uncovered(subject) : allowed(subject, rule)
}

function findText(bench: Bench, index: EffectIndex, text: string | null): Rule | null {
  for (const rules of rulesFor(index, bench.call.tool)) {
    if (rules.any !== null) return rules.any
    const found = rules.texts.find(({ parameter, glob }) => {
      const value = parameter === null ? text : parameterText(bench.call.input, parameter)
      return value !== null && globMatches(glob, value)
    })
    if (found !== undefined) return found.rule
  }
  return null
}

/** Deny and ask rules about one parameter of the call (`Bash(run_in_background:true)`). */
export function judgeParameters(bench: Bench, parts: PartJudgement[]): void {
  for (const index of [bench.compiled.deny, bench.compiled.ask]) {
    for (const { texts } of rulesFor(index, bench.call.tool)) {
      for (const { rule, parameter, glob } of texts) {
        const value = parameter === null ? null : parameterText(bench.call.input, parameter)
        if (value === null || !globMatches(glob, value)) continue
        const source = `${parameter}: ${value}`
        parts.push(forbidden({ what: 'call', source, normal: source, span: null }, rule, 'must'))
      }
    }
  }
}

function parameterText(input: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = Object.hasOwn(input, name) ? input[name] : undefined
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null
}
