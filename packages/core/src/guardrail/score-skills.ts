// Which skills a prompt is about: their own keywords count most, the words of name and description by BM25.
import type { SkillDocument } from './guardrail-ports.ts'

export interface ScoredSkill {
  readonly skill: SkillDocument
  readonly score: number
}

const KEYWORD_SCORE = 4
/** The usual constants of BM25. */
const K1 = 1.2
const B = 0.75

/** Words that say nothing of a subject. */
const STOP_WORDS = new Set(
  'a an and are as at be by can do for from has have how i in is it its me my of on or our please should so that the their this to use used using want was we what when where which will with you your'.split(
    ' ',
  ),
)

/** Best first; skills without any hit are left out. */
export function scoreSkills(prompt: string, skills: readonly SkillDocument[]): readonly ScoredSkill[] {
  const asked = new Set(wordsOf(prompt))
  const flat = ` ${[...wordsIn(prompt)].join(' ')} `
  const documents = skills.map(skill => ({ skill, words: wordsOf(`${skill.name} ${skill.description}`) }))
  const average = documents.reduce((sum, { words }) => sum + words.length, 0) / Math.max(1, documents.length)
  const rarity = rarities(
    asked,
    documents.map(({ words }) => new Set(words)),
  )
  return documents
    .map(({ skill, words }) => ({ skill, score: keywordScore(skill, flat) + bm25(asked, words, average, rarity) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.skill.name < b.skill.name ? -1 : 1))
}

function keywordScore({ keywords }: SkillDocument, flat: string): number {
  return keywords.filter(keyword => flat.includes(` ${[...wordsIn(keyword)].join(' ')} `)).length * KEYWORD_SCORE
}

function rarities(asked: ReadonlySet<string>, documents: readonly ReadonlySet<string>[]): ReadonlyMap<string, number> {
  return new Map(
    [...asked].map(word => {
      const having = documents.filter(words => words.has(word)).length
      return [word, Math.log(1 + (documents.length - having + 0.5) / (having + 0.5))]
    }),
  )
}

function bm25(asked: ReadonlySet<string>, words: readonly string[], average: number, rarity: ReadonlyMap<string, number>): number {
  let score = 0
  for (const word of asked) {
    const times = words.filter(each => each === word).length
    if (times === 0) continue
    const length = 1 - B + (B * words.length) / average
    score += ((rarity.get(word) ?? 0) * times * (K1 + 1)) / (times + K1 * length)
  }
  return score
}

function wordsOf(text: string): string[] {
  return [...wordsIn(text)].filter(word => word.length > 1 && !STOP_WORDS.has(word)).map(stem)
}

function* wordsIn(text: string): Generator<string> {
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) yield word
}

/** Enough to bring test, tests, testing and tested together. */
function stem(word: string): string {
  const cut = word.replace(/(?:ing|ed|es|s)$/, '')
  return cut.length >= 3 ? cut : word
}
