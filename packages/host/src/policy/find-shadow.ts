// Whether a rule can never be the one that decides, because another always decides before it. Said only where it can be proved: the other
// rule is stricter, or as strict and written earlier, speaks to every actor this one speaks to, and of every call it speaks of.
import type { Rule, RuleEffect, RuleSpec } from '@belay/core/policy'

export interface PlacedRule {
  readonly rule: Rule
  /** A name or a glob. */
  readonly actor: string
  /** Why it has no effect; such a rule hides nothing. */
  readonly inert: string | null
}

const STRICTNESS: Readonly<Record<RuleEffect, number>> = { allow: 1, ask: 2, deny: 3 }
const EFFECTS: readonly RuleEffect[] = ['allow', 'ask', 'deny']

/** Of each of `rules`, which stand in the order of the files: the first that hides it, or null. */
export function findShadows(rules: readonly PlacedRule[]): readonly (PlacedRule | null)[] {
  const places = indexRules(rules)
  const actors = new Set(rules.map(({ actor }) => actor))
  return rules.map((placed, index) => {
    let first = rules.length
    for (const { key, isStricter } of keysOfHiding(placed, actors)) {
      for (const at of places.get(key) ?? []) {
        if (at >= first || (at >= index && !isStricter)) break
        const other = rules[at]
        if (other !== undefined && hides(other, placed, at < index)) first = at
      }
    }
    return rules[first] ?? null
  })
}

/** Where rules stand, by what they speak of: thousands of rules are too many to compare each with each. */
function indexRules(rules: readonly PlacedRule[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>()
  for (const [at, { rule, actor, inert }] of rules.entries()) {
    if (inert !== null) continue
    const { spec, effect } = rule
    const head = spec?.kind === 'command' ? headOf(spec.pattern) : null
    const forms = head === null ? [formOf(spec)] : [formOf(spec), `${head} *`]
    for (const key of rule.tools.flatMap(tool => forms.map(form => keyOf(effect, actor, tool, form)))) {
      const known = places.get(key)
      if (known === undefined) places.set(key, [at])
      else known.push(at)
    }
  }
  return places
}

interface HidingKey {
  readonly key: string
  readonly isStricter: boolean
}

/** Under which keys of the index rules stand that may hide this one. */
function keysOfHiding({ rule, actor }: PlacedRule, actors: ReadonlySet<string>): readonly HidingKey[] {
  const { effect, spec, tools } = rule
  const wider = Array.from(actor, (_, length) => `${actor.slice(0, length)}*`)
  const callers = [...new Set([actor, ...wider])].filter(each => actors.has(each))
  const heads = spec?.kind === 'command' ? plainHeads(spec.pattern) : []
  const forms = [...new Set([ANY, formOf(spec), ...heads.map(head => `${head} *`)])]
  return EFFECTS.filter(each => STRICTNESS[each] >= STRICTNESS[effect]).flatMap(each =>
    callers.flatMap(caller =>
      [tools[0] ?? '*', '*'].flatMap(tool =>
        forms.map(form => ({ key: keyOf(each, caller, tool, form), isStricter: STRICTNESS[each] > STRICTNESS[effect] })),
      ),
    ),
  )
}

const ANY = ''

function formOf(spec: RuleSpec | null): string {
  return spec === null ? ANY : JSON.stringify(spec)
}

function keyOf(...parts: readonly [effect: RuleEffect, actor: string, tool: string, form: string]): string {
  return parts.join('\n')
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
  if (formOf(wide.spec) === formOf(narrow.spec)) return true
  if (wide.spec.kind !== 'command' || narrow.spec.kind !== 'command') return false
  const head = headOf(wide.spec.pattern)
  return head !== null && plainHeads(narrow.spec.pattern).includes(head)
}

const PLAIN = /^[\w./@:+-]+$/

/** `git` of `git *`, where every command that begins with it is meant: plain words, no flags. */
function headOf(pattern: string): string | null {
  const head = pattern.endsWith(' *') ? pattern.slice(0, -2) : ''
  return head.split(' ').every(isPlain) ? head : null
}

/** `git` and `git push` of `git push *`: nothing of it ends the command. */
function plainHeads(pattern: string): readonly string[] {
  if (/[|&;<>()$`\n"'\\=]/.test(pattern)) return []
  const words = pattern.split(' ')
  const plain = words.findIndex(word => !isPlain(word))
  const longest = Math.min(plain === -1 ? words.length : plain, words.length - 1)
  return Array.from({ length: longest }, (_, at) => words.slice(0, at + 1).join(' '))
}

function isPlain(word: string): boolean {
  return PLAIN.test(word) && !word.startsWith('-')
}
