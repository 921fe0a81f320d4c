// The index against a reference that compares every rule, on random rule sets. BELAY_FUZZ sets the number of rule sets.
import { expect, test } from 'vitest'
import { createPathAnchors } from '../match/path/path-anchors.ts'
import { compilePathPattern, pathMatches } from '../match/path/path-pattern.ts'
import { viewPath } from '../match/path/path-view.ts'
import { resolvePath } from '../match/path/resolve-path.ts'
import { virtualFileView } from '../match/path/virtual-file-view.ts'
import type { Unit } from '../match/shell/shell-analysis.ts'
import { textWord } from '../match/shell/word.ts'
import { findCovering, findForbidding } from './command-index.ts'
import { compileRules, rulesFor } from './compile-rules.ts'
import { flagNeeds } from './flag-need.ts'
import { shapeOf } from './flag-set.ts'
import { findPathRule } from './judge-path.ts'
import { quoteWord } from './normal-form.ts'
import { parseRule } from './parse-rule.ts'
import type { Rule, RuleEffect } from './rule.ts'
import { UnitView } from './unit-view.ts'

const rounds = Number(process.env.BELAY_FUZZ ?? 1000)
const seed = Number(process.env.BELAY_SEED ?? Date.now() % 1_000_000)

/** Small, repeatable, and good enough to pick words. */
function createRandom(start: number): (below: number) => number {
  let state = start >>> 0
  return below => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const random = createRandom(seed)
const pick = <Value>(values: readonly Value[]): Value => values[random(values.length)] as Value
const many = <Value>(most: number, make: () => Value): Value[] => Array.from({ length: random(most + 1) }, make)

const PROGRAMS = ['git', 'rm', 'npm', 'gitk', 'go', './git', '/usr/bin/git', '/tmp/rm']
const ARGUMENTS = [
  'push',
  'pushx',
  'pus',
  'run',
  'test',
  'test:unit',
  '-f',
  '-rf',
  '-r',
  '--force',
  '--force-with-lease',
  '-C',
  'x',
  'a b',
  '--',
  'src/a',
  '-fr',
]
const WILD = ['*', 'pu*', '*x', 'te*t', '--fo*', '-*', '*--force*', 't?st', "'a *'"]

function randomRuleText(): string {
  const program = random(8) === 0 ? pick(['*', 'gi*', '*t', 'g?t']) : pick(PROGRAMS)
  const words = many(3, () => (random(3) === 0 ? pick(WILD) : quoteWord(pick(ARGUMENTS))))
  return `Bash(${[program, ...words].join(' ')}${pick(['', ' *', '*', ':*'])})`
}

function ruleOf(text: string, effect: RuleEffect, index: number): Rule {
  const parsed = parseRule(text, { effect, dialect: 'genesis', id: `${effect}-${index}` })
  if (!parsed.ok) throw new Error(`${text}: ${parsed.problem.message}`)
  return parsed.rule
}

function permissions(effect: 'allow' | 'deny', rules: readonly Rule[]): Parameters<typeof compileRules>[0] {
  return { allow: [], ask: [], deny: [], [effect]: rules, default: 'ask', hash: '' }
}

function unitOf(words: readonly string[]): Unit {
  return {
    words: words.map(word => textWord(word)),
    assignments: [],
    span: { start: 0, end: 0 },
    source: words.join(' '),
    role: 'full',
    behind: [],
    traits: [],
    bases: null,
  }
}

/** Every star tries every length. */
function slowGlob(pattern: string, text: string): boolean {
  if (pattern === '') return text === ''
  const rest = pattern.slice(1)
  const head = pattern.charAt(0)
  if (head === '*') return slowGlob(rest, text) || (text !== '' && slowGlob(pattern, text.slice(1)))
  return text !== '' && (head === '?' || head === text.charAt(0)) && slowGlob(rest, text.slice(1))
}

interface SlowRule {
  readonly words: readonly string[]
  readonly open: boolean
}

/** The rules above only quote `a b` and `a *`, which keeps reading them simple. */
function slowRule(rule: Rule, forDeny: boolean): SlowRule {
  const pattern = (rule.spec?.kind === 'command' ? rule.spec.pattern : '*').replace(/ \*+$/, ' *')
  const open = pattern.endsWith(' *')
  const body = open ? pattern.slice(0, -2) : pattern
  const words = body.match(/'[^']*'\*?|\S+/g)?.map(word => word.replaceAll("'", '')) ?? []
  return { words: words.map((word, index) => (index === 0 ? slowProgram(word, forDeny) : word)), open }
}

function slowProgram(word: string, forDeny: boolean): string {
  if (/[*?]/.test(word)) return word
  if (forDeny) return word.slice(word.lastIndexOf('/') + 1)
  return word.replace(/^\/usr\/bin\//, '')
}

function slowText(words: readonly string[]): string {
  return words.map(quoteWord).join(' ')
}

function slowPlain({ words, open }: SlowRule, text: string): boolean {
  const pattern = slowText(words)
  return slowGlob(pattern, text) || (open && slowGlob(`${pattern} *`, text))
}

/** `* install` is about every command with that word. */
function withWordAnywhere(rule: SlowRule): SlowRule {
  const [first, word, ...rest] = rule.words
  return first === '*' && word !== undefined && !/[*?]/.test(word) && rest.length === 0 ? { ...rule, open: true } : rule
}

function slowDeny(rule: Rule, words: readonly string[]): boolean {
  const slow = withWordAnywhere(slowRule(rule, true))
  const named = [slowProgram(words[0] ?? '', true), ...words.slice(1)]
  if (slowPlain(slow, slowText(named))) return true
  const [program = '', ...rest] = slow.words
  const shape = shapeOf(words)
  if (program !== '*' && (/[*?]/.test(program) || program !== shape.program)) return false
  const operands = rest.filter(word => !(word.length > 1 && word.startsWith('-')))
  const flags = rest
    .filter(word => word.length > 1 && word.startsWith('-'))
    .map(flag => flag.replaceAll('*', '\uFDD0').replaceAll('?', '\uFDD1'))
  const needs = flags.flatMap(flag => flagNeeds(program === '*' ? '' : program, operands[0] ?? null, flag))
  const last = rest.at(-1) ?? ''
  const open = slow.open || (last.length > 1 && last.startsWith('-') && last.endsWith('*'))
  if (!open && needs.length === 0 ? shape.hasOwnFlags : !needs.every(need => need(shape, false))) return false
  if (operands.length === 0 && (open || program === '*')) return true
  // Flags taken out, a star may have become the last word.
  const isTail = operands.length > 1 && operands.at(-1) === '*' && !open
  const pattern = { words: isTail ? operands.slice(0, -1) : operands, open: open || isTail }
  const bare = shape.operands.filter(at => !shape.values.includes(at))
  return [shape.operands, bare].some(positions => slowPlain(pattern, slowText(positions.map(at => words[at] ?? ''))))
}

const reading = { for: 'allow', trustedDirs: new Set(['/usr/bin']) } as const

test(`commands (seed ${seed}, ${rounds} rule sets)`, () => {
  for (let round = 0; round < rounds; round++) {
    const texts = many(12, randomRuleText)
    const words = [pick(PROGRAMS), ...many(5, () => pick(ARGUMENTS))]
    const view = new UnitView(unitOf(words), unitOf(words).words, { reading })

    const deny = texts.map((text, index) => ruleOf(text, 'deny', index))
    const denied = deny.find(rule => slowDeny(rule, words))?.text ?? null
    const [denyRules] = rulesFor(compileRules(permissions('deny', deny)).deny, 'Bash')
    const any = denyRules?.any?.text
    const found = denyRules === undefined || denyRules.commands === null ? null : findForbidding(denyRules.commands, view)
    const got = any ?? (found?.match === 'must' ? found.rule.rule.text : null)
    if (any === undefined) expect({ words, rule: got }).toEqual({ words, rule: denied })

    const allow = texts.map((text, index) => ruleOf(text, 'allow', index))
    const named = [slowProgram(words[0] ?? '', false), ...words.slice(1)]
    const covers = allow.find(rule => rule.spec !== null && slowPlain(slowRule(rule, false), slowText(named)))?.text ?? null
    const [allowRules] = rulesFor(compileRules(permissions('allow', allow)).allow, 'Bash')
    const covering =
      allowRules === undefined || allowRules.commands === null
        ? null
        : (findCovering(allowRules.commands, view, () => true)?.rule.text ?? null)
    expect({ words, rule: covering }).toEqual({ words, rule: covers })
  }
})

const SEGMENTS = ['src', 'a.ts', '.env', '.env.local', 'deep', 'Src', 'x.key', '..', 'tmp']
const PATH_RULES = [
  'src/*',
  '.env*',
  '*.key',
  'src',
  '*',
  'src/deep/*',
  '/tmp/*',
  '~/.ssh/*',
  '**/a.ts',
  'src/**/a.ts',
  'sr*',
  'a.ts',
  '*a*',
  'src/a?ts',
  '/repo/src/*',
  '//tmp/x',
  '~/*',
  'deep/',
]

test(`paths (seed ${seed}, ${rounds} rule sets)`, () => {
  for (let round = 0; round < rounds; round++) {
    const caseInsensitiveFs = random(3) === 0
    const links =
      random(2) === 0
        ? { [`src/${pick(SEGMENTS.slice(0, 5))}`]: pick(['.env', '/tmp/x', 'src/deep', '/home/dev/.ssh']), '/tmp': '/private/tmp' }
        : {}
    const view = virtualFileView({ root: '/repo', links, caseInsensitiveFs })
    if (!view.ok) throw new Error(view.problem)
    const anchors = createPathAnchors({ root: '/repo', home: '/home/dev', files: view.files })
    const raw = `${pick(['', '/repo/', '/tmp/', '/home/dev/', '/private/tmp/'])}${[pick(SEGMENTS), ...many(3, () => pick(SEGMENTS))].join('/')}`
    const path = viewPath(resolvePath(raw, { root: '/repo', cwd: '/repo', home: '/home/dev', files: view.files }), anchors)
    for (const effect of ['allow', 'deny'] as const) {
      const texts = many(10, () => pick(PATH_RULES)).filter(text => text !== '*')
      const rules = texts.map((text, index) => ruleOf(`Write(${text})`, effect, index))
      const wanted = rules.find(rule => {
        if (rule.spec?.kind !== 'path') return false
        const { lexical, real } = pathMatches(compilePathPattern(rule.spec, { effect }), path)
        return effect === 'allow' ? lexical && real : lexical || real
      })
      const compiled = compileRules(permissions(effect, rules))
      expect({ raw, links, texts, id: findPathRule(compiled[effect], 'Write', path)?.id }).toEqual({ raw, links, texts, id: wanted?.id })
    }
  }
})
