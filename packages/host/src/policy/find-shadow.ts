// Whether a rule can never be the one that decides, because another always decides before it. Said only where it can be proved: the other
// rule is stricter, or as strict and written earlier, speaks to every actor this one speaks to, and of every call it speaks of.
import type { Rule, RuleEffect } from '@belay/core/policy'

export interface PlacedRule {
  readonly rule: Rule
  /** A name or a glob. */
  readonly actor: string
  /** Why it has no effect; such a rule hides nothing. */
  readonly inert: string | null
}

const STRICTNESS: Readonly<Record<RuleEffect, number>> = { allow: 1, ask: 2, deny: 3 }

/** `rules` in the order of the files. */
export function findShadow(rules: readonly PlacedRule[], index: number): PlacedRule | null {
  const placed = rules[index]
  if (placed === undefined) return null
  return rules.find((other, at) => other !== placed && hides(other, placed, at < index)) ?? null
}

function hides(other: PlacedRule, placed: PlacedRule, isEarlier: boolean): boolean {
  if (other.inert !== null || isSameRule(other.rule, placed.rule)) return false
  const difference = STRICTNESS[other.rule.effect] - STRICTNESS[placed.rule.effect]
  if (difference < 0 || (difference === 0 && !isEarlier)) return false
  // Allow rules are taken from the best matching block alone, and which flags they welcome depends on their words.
  if (placed.rule.effect === 'allow' && difference === 0) return other.actor === placed.actor && isSameText(other.rule, placed.rule)
  return coversActor(other.actor, placed.actor) && coversCalls(other.rule, placed.rule)
}

/** An alias brings one rule to several actors. */
function isSameRule(a: Rule, b: Rule): boolean {
  return a.id === b.id && a.place?.file === b.place?.file
}

function isSameText(a: Rule, b: Rule): boolean {
  return a.text === b.text && a.dialect === b.dialect && a.place?.file === b.place?.file
}

function coversActor(wide: string, narrow: string): boolean {
  if (wide === narrow || wide === '*') return true
  const prefix = wide.slice(0, -1)
  return wide.endsWith('*') && !/[*?]/.test(prefix) && narrow.startsWith(prefix)
}

function coversCalls(wide: Rule, narrow: Rule): boolean {
  if (wide.dialect !== narrow.dialect) return false
  if (!wide.tools.includes('*') && !narrow.tools.every(tool => wide.tools.includes(tool))) return false
  if (wide.spec === null) return true
  if (narrow.spec === null) return false
  if (JSON.stringify(wide.spec) === JSON.stringify(narrow.spec)) return true
  return wide.spec.kind === 'command' && narrow.spec.kind === 'command' && coversCommand(wide.spec.pattern, narrow.spec.pattern)
}

const PLAIN = /^[\w./@:+-]+$/

/** `git *` covers `git push *`: plain words, no flags, and nothing that ends a command. */
function coversCommand(wide: string, narrow: string): boolean {
  if (!wide.endsWith(' *') || /[|&;<>()$`\n"'\\=]/.test(narrow)) return false
  const words = wide.slice(0, -2).split(' ')
  const others = narrow.split(' ')
  return words.every((word, index) => PLAIN.test(word) && !word.startsWith('-') && word === others[index]) && others.length > words.length
}
