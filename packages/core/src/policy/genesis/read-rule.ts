// One rule of a list: its text alone, or `{rule, id, message, match, not_match}`.
import { parseRule } from '../parse-rule.ts'
import type { Rule, RuleEffect } from '../rule.ts'
import { checkExamples } from './check-examples.ts'
import { isMapNode, isTextNode, readKnownFields, readText, readTexts } from './yaml-read.ts'
import { type Node, placeInText, report, type YamlSource } from './yaml-source.ts'

export const RULE_KEYS = ['rule', 'id', 'message', 'match', 'not_match']

export function readRule(source: YamlSource, item: Node, effect: RuleEffect): Rule | null {
  if (isTextNode(source, item)) return readRuleText(source, item, effect, {})
  if (!isMapNode(source, item)) {
    return report(source, item, 'a rule must be text, or a mapping with `rule`', 'write the rule in quotes: "Bash(git push *)"')
  }
  return readRuleMapping(source, item, effect)
}

function readRuleMapping(source: YamlSource, item: Node, effect: RuleEffect): Rule | null {
  const fields = readKnownFields(source, item, 'a rule', RULE_KEYS)
  if (fields === null) return null
  const text = fields.get('rule')
  if (text === undefined) {
    return report(source, item, 'the rule is a mapping without `rule`', 'a rule that holds `: ` or ` #` must be in quotes')
  }
  const optionalText = (key: 'id' | 'message'): string | null => {
    const field = fields.get(key)
    return field === undefined ? null : readText(source, field.value, `\`${key}\` of a rule`)
  }
  const id = optionalText('id')
  const message = optionalText('message')
  const rule = readRuleText(source, text.value, effect, { ...(id === null ? {} : { id }), ...(message === null ? {} : { message }) })
  if (rule === null) return null
  for (const key of ['match', 'not_match'] as const) {
    const field = fields.get(key)
    const examples = field === undefined ? null : readTexts(source, field.value, `\`${key}\` of a rule`)
    for (const problem of checkExamples(rule, examples ?? [], key))
      report(source, field?.value, problem, 'change the rule or the example; belay hooks test-pattern tries one')
  }
  return rule
}

function readRuleText(
  source: YamlSource,
  node: Node,
  effect: RuleEffect,
  named: { readonly id?: string; readonly message?: string },
): Rule | null {
  const text = readText(source, node, 'a rule')
  if (text === null) return null
  const parsed = parseRule(text, { effect, dialect: 'genesis', place: placeInText(source, node, 0), ...named })
  if (parsed.ok) return parsed.rule
  source.problems.push({ ...parsed.problem, message: `the ${effect} rule ${JSON.stringify(text)}: ${parsed.problem.message}` })
  return null
}
