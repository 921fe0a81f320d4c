import { describe, expect, test } from 'vitest'
import { makeRandom } from './fixtures/random-script.ts'
import * as sign from './signs.ts'
import { makeWord, textWord } from './word.ts'

/** What each bit leaves out, said once more as a pattern: where the pattern matches, the bit must be there. */
const PATTERNS: readonly (readonly [RegExp, number])[] = [
  [/\./, sign.DOT],
  [/\//, sign.SLASH],
  [/:/, sign.COLON],
  [/@/, sign.AT],
  [/=/, sign.EQUALS],
  [/\s/, sign.BLANK],
  [/[,;|"'()[\]{}`]/, sign.SEPARATOR],
  [/[^\w./+-]/, sign.ODD],
  [/[\uFDD0\uFDD1]/, sign.OTHER],
  [/[kK]/, sign.K],
]

describe('signs of a word', () => {
  test('no bit is missing for any character', () => {
    for (let code = 0; code < 0x1_0000; code++) {
      const text = `a${String.fromCharCode(code)}c`
      for (const [pattern, bit] of PATTERNS) if (pattern.test(text)) expect(sign.signsOf(text) & bit, `${code} ${pattern}`).toBe(bit)
    }
  })

  test('a plain word has none of the bits that make it odd', () => {
    for (const text of ['src', 'x-1', 'a_b', 'A+9']) expect(sign.signsOf(text) & (sign.ODD | sign.OTHER | sign.DOT | sign.SLASH)).toBe(0)
  })

  test("Belay's names are never ruled out", () => {
    const random = makeRandom(7)
    for (let round = 0; round < 2000; round++) {
      const name = random.pick(['belay', 'mentu', 'genesis.key', 'BELAY', 'MeNtU', 'Genesis.Key'])
      const text = `${'x./-:'.slice(0, random.next(5))}${name}${random.pick(['', '@1', '/run', '=é', '\n'])}`
      expect(sign.mayNameOurs(sign.signsOf(text)), text).toBe(true)
    }
  })

  test('of a word that is not known to the end nothing is ruled out', () => {
    const unknown = makeWord([{ kind: 'unknown', splits: true }], '$x')
    const glob = makeWord([{ kind: 'glob', value: '*' }], '*')
    expect(sign.wordSigns([textWord('ls'), unknown, glob])).toEqual([0, sign.ANY_SIGN, sign.ANY_SIGN])
  })

  test('each list of words is told by itself', () => {
    const first = [textWord('a.c')]
    const second = [textWord('a:c')]
    expect([sign.wordSigns(first), sign.wordSigns(second), sign.wordSigns(first)]).toEqual([
      [sign.DOT],
      [sign.COLON | sign.ODD],
      [sign.DOT],
    ])
  })
})
