// The pattern by which a search chooses its files (`glob` of Grep): where it is aimed at files that a rule keeps, a person is asked.
// One that only chooses an ending (`**/*.ts`) is no narrower than the search itself, which is judged by its directory.
import { below } from '../match/path/path-anchors.ts'
import { viewPath } from '../match/path/path-view.ts'
import { wordSegments } from '../match/path/word-segments.ts'
import { patternWords } from '../match/shell/pathspec.ts'
import type { Word } from '../match/shell/shell-analysis.ts'
import { rulesFor } from './compile-rules.ts'
import { describeRule, type JudgeInput, judged, resolveAt } from './judge-part.ts'
import { findPathRule } from './judge-path.ts'
import { fillGlobs, mayMatchPath } from './judge-unknown-path.ts'
import type { PartJudgement } from './judgement.ts'
import type { Rule } from './rule.ts'

export function judgePattern(input: JudgeInput, pattern: string, base: string): readonly PartJudgement[] {
  const directory = resolveAt(input, base, input.context.cwd).lexical
  for (const choice of chosenPatterns(pattern)) {
    const rule = startsOf(input, pattern, directory).reduce<Rule | null>((found, start) => found ?? findKept(input, choice, start), null)
    if (rule === null) continue
    const reason = `the pattern ${pattern} chooses files that ${describeRule(rule)} is about`
    return [judged({ what: 'call', source: pattern, normal: pattern, span: null }, { decision: 'ask', match: 'may', rule, reason })]
  }
  return []
}

/** `**`, or a name without a folder, which is sought at any depth, may be the way to the project and to the home. */
function startsOf({ context: { root, home } }: JudgeInput, pattern: string, directory: string): readonly string[] {
  const isAnywhere = pattern.startsWith('**') || !pattern.includes('/')
  return [directory, ...[root, home].filter(place => isAnywhere && place !== directory && below(place, directory) !== null)]
}

/** Each choice of its braces, from any directory on, and with nothing or a dot for a star before the name (`*.env` and `*env` are `.env` too). */
function chosenPatterns(pattern: string): readonly string[] {
  return listedPatterns(pattern)
    .flatMap(expandChoices)
    .flatMap(choice => {
      const name = plainSets(choice)
        .replace(/^!/, '/!')
        .replace(/^(?:\*\*\/)+/, '')
      const bare = name.replace(/(^|\/)\*+(?=[^*/][^/]*$)/, '$1')
      const hidden = name.replace(/(^|\/)\*+(?=[^*/.][^/]*$)/, '$1.')
      return bare === name ? [name] : [...new Set([name, bare, hidden])]
    })
}

/** Some tools take several patterns in one text, with commas or blanks between; to a search `/.env` begins where it starts. */
function listedPatterns(pattern: string): readonly string[] {
  const parts = pattern.split(/[\s,]+(?![^{]*\})/).filter(part => part !== '')
  const anchored = /^\/[^/]+$/.test(pattern) ? [pattern.slice(1)] : []
  return parts.length > 1 && parts.length <= MAX_CHOICES ? [pattern, ...parts] : [pattern, ...anchored]
}

/** `[.]env` is `.env`; a single sign that may be anything may be a dot. */
function plainSets(pattern: string): string {
  return pattern.replace(/\[([^\]!^])\]/g, '$1').replace(/(^|\/)\?(?=[^*?/]+$)/, '$1.')
}

const MAX_CHOICES = 64

function expandChoices(pattern: string): readonly string[] {
  let found: readonly string[] = [pattern]
  for (let round = 0; round < 4; round++) {
    const next = found.flatMap(one => {
      const braces = /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(one)
      return braces === null ? [one] : (braces[2] ?? '').split(',').map(choice => `${braces[1]}${choice}${braces[3]}`)
    })
    if (next.length === found.length || next.length > MAX_CHOICES) return found
    found = next
  }
  return found
}

function findKept(input: JudgeInput, pattern: string, base: string): Rule | null {
  const word = patternWords(pattern, pattern)[0]
  if (word === undefined || pattern === '') return null
  const filled = viewPath(resolveAt(input, fillGlobs(word), base), input.places.anchors)
  for (const index of [input.compiled.deny, input.compiled.ask]) {
    const aboutFiles = rulesFor(index, 'Read').some(({ any }) => any !== null) ? null : index
    const certain =
      findPathRule(index, 'Read', filled, 'certain files') ?? keptFromChange(findPathRule(index, 'Write', filled, 'certain files'))
    if (certain !== null) return certain
    const may = aboutFiles === null || !isAimed(word, base) ? null : mayMatchPath(input, index, 'Read', { word, base, yieldsHidden: true })
    if (may !== null) return may
  }
  return null
}

/** Every name that is a pattern begins with known text, or a hidden name stands behind one that is any (`/home/*\/.ssh/*`). */
function isAimed(word: Word, base: string): boolean {
  const { segments } = wordSegments(word, { base, caseInsensitive: false, yieldsHidden: true })
  const first = segments.findIndex(({ literal }) => literal === null)
  const isHidden = segments.slice(first).some(({ literal }) => literal?.startsWith('.') === true)
  return word.glob && (isHidden || segments.every(segment => segment.literal !== null || segment.start !== ''))
}

/** Of rules about writing, only those for a kind of file say that it is worth keeping (`Write(*.pem)`). */
function keptFromChange(rule: Rule | null): Rule | null {
  return rule?.spec?.kind === 'path' && rule.spec.anchor === 'name' ? rule : null
}
