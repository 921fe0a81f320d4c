// A line that ends processes by numbers it reckons itself, or has a shell or another program do so: a person is asked.
import { findOurs, type ProcessContext } from '../match/path/own-process.ts'
import type { Protection } from '../match/path/protect-path.ts'
import { BY_OPTION, findReckoned, TAKES_NUMBERS } from '../match/path/reckoned-number.ts'
import type { Unit } from '../match/shell/shell-analysis.ts'
import { isShell } from '../match/shell/shell-program.ts'
import { baseName } from './flag-set.ts'

export function protectReckoned(units: readonly Unit[], text: string, context: ProcessContext): Protection | null {
  if (!units.some(takesUnknown) && !(units.some(isShellUnit) && units.some(saysUnknown))) return null
  const all = [...new Set([text, ...codeIn(units)])]
  // `read p <<< 4242; kill $p`: whatever way it takes.
  const ours = findOurs(numbersIn(all), context)
  if (ours !== undefined) return { decision: 'ask', reason: `process ${ours} is Belay's, and the line may end it` }
  if (all.length > MAX_TEXTS) return { decision: 'ask', reason: 'the line ends processes in more ways than anybody reads' }
  const texts = all.map(findReckoned)
  const found = texts.find(each => each.found !== null)?.found ?? null
  if (found === null && (texts.some(({ hasTargets }) => hasTargets) || !texts.some(({ isAnywhere }) => isAnywhere))) return null
  return { decision: 'ask', reason: `${found ?? 'the line'}: numbers of processes that the line reckons itself: Belay's may be among them` }
}

const MAX_NUMBERS = 500
const MAX_TEXTS = 30

function numbersIn(texts: readonly string[]): readonly number[] {
  const found = new Set(texts.flatMap(text => [...text.matchAll(/\d{1,9}/g)].map(([digits]) => Number(digits))))
  return [...found].filter(number => number > 1).slice(0, MAX_NUMBERS)
}

/** Numbers that the text says are compared with ours elsewhere. */
function takesUnknown({ words, traits }: Unit): boolean {
  const program = baseName(words[0]?.value ?? '')
  if (!TAKES_NUMBERS.test(program) || (BY_OPTION.test(program) && !words.some(({ source }) => /^-(?:[a-z]*p|-pid)/.test(source))))
    return false
  return words.length === 1 || words.some(word => word.value === null || word.glob) || traits.some(({ kind }) => kind === 'more-arguments')
}

function isShellUnit({ words }: Unit): boolean {
  return isShell(baseName(words[0]?.value ?? ''))
}

/** `echo "kill $PPID" | sh`: what a shell may read, though only a part of it is known. */
function saysUnknown({ words }: Unit): boolean {
  return words.some(({ value, source }) => value === null && CODE.test(source))
}

/** `sh -c 'kill $((n + 1))'`, `eval kill \\$PPID`, a text for a shell to read. */
function codeIn(units: readonly Unit[]): readonly string[] {
  return units.flatMap(({ words, input }) => {
    const texts = [...words.slice(1), ...(input === undefined ? [] : [input])].map(({ value, source }) => value ?? withoutQuotes(source))
    const whole = words[0]?.value === 'eval' ? [texts.join(' ')] : []
    return [...texts, ...whole].filter(text => CODE.test(text))
  })
}

function withoutQuotes(source: string): string {
  return source.replace(/^"(.*)"$/s, '$1')
}

const CODE = /\b(?:s?kill|snice|renice|ionice|chrt|taskset|prlimit|cpulimit|choom)\b[\s\S]*\S/
