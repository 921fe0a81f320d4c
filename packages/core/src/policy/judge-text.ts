// Arguments that are neither commands nor paths: URLs, names of agents and skills, parameters of any tool.
import { globMatches } from '../match/glob.ts'
import { parseWebTarget, type WebTarget } from '../match/web/web-target.ts'
import { type EffectIndex, rulesFor } from './compile-rules.ts'
import { findDomainRule } from './domain-index.ts'
import { allowed, forbidden, type JudgedPart, type JudgeInput, judged, uncovered } from './judge-part.ts'
import type { PartJudgement } from './judgement.ts'
import type { Rule } from './rule.ts'

export function judgeUrl(input: JudgeInput, url: string): PartJudgement {
  const target = parseWebTarget(url)
  const part: JudgedPart = { what: 'call', source: url, normal: target.host ?? url, span: null }
  const find = (index: EffectIndex): Rule | null => findDomain(index, input.call.tool, target, url)
  const denied = find(input.compiled.deny)
  if (denied !== null) return forbidden(part, denied, 'must')
  if (target.problem !== undefined) return judged(part, { decision: 'ask', reason: target.problem })
  const asked = find(input.compiled.ask)
  if (asked !== null) return forbidden(part, asked, 'must')
  const rule = find(input.compiled.allow)
  if (rule !== null) return allowed(part, rule)
  const why = target.isAddress ? 'an address is allowed only by a rule that names it' : `no rule covers ${target.host ?? url}`
  return uncovered(part, why)
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
export function judgeText(input: JudgeInput, text: string): PartJudgement {
  const part: JudgedPart = { what: 'call', source: text, normal: text, span: null }
  return judgeBy(input, part, index => findText(input, index, text))
}

/** A tool without any argument that rules could speak about. */
export function judgeName(input: JudgeInput): PartJudgement {
  const { tool } = input.call
  return judgeBy(input, { what: 'call', source: tool, normal: tool, span: null }, index => findText(input, index, null))
}

function judgeBy(input: JudgeInput, part: JudgedPart, find: (index: EffectIndex) => Rule | null): PartJudgement {
  const { deny, ask, allow } = input.compiled
  const against = find(deny) ?? find(ask)
  if (against !== null) return forbidden(part, against, 'must')
  const rule = find(allow)
  return rule === null ? uncovered(part) : allowed(part, rule)
}

function findText(input: JudgeInput, index: EffectIndex, text: string | null): Rule | null {
  for (const rules of rulesFor(index, input.call.tool)) {
    if (rules.any !== null) return rules.any
    const found = rules.texts.find(({ parameter, glob }) => {
      const value = parameter === null ? text : parameterText(input.call.input, parameter)
      return value !== null && globMatches(glob, value)
    })
    if (found !== undefined) return found.rule
  }
  return null
}

/** Deny and ask rules about one parameter of the call (`Bash(run_in_background:true)`). */
export function judgeParameters(input: JudgeInput, parts: PartJudgement[]): void {
  for (const index of [input.compiled.deny, input.compiled.ask]) {
    for (const { texts } of rulesFor(index, input.call.tool)) {
      for (const { rule, parameter, glob } of texts) {
        const value = parameter === null ? null : parameterText(input.call.input, parameter)
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
