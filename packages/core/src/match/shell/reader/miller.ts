// Miller's verbs stand in a chain with `then` between them. Wherever they stand in it, `tee` writes a file, `split` writes some, and `put` and
// `filter` run a program of Miller's own language, which can write files and run commands.
import { type Call, notCovered, touchArgument } from '../call.ts'
import { runCode } from '../nested-code.ts'
import type { Word } from '../shell-analysis.ts'
import { leadingText, makeWord, textWord } from '../word.ts'

/** Options of these verbs with a value behind them. */
const WITH_VALUE = /^(?:-[efgns]|--(?:prefix|suffix|o?[fpr]s|ofmt))$/

export function readMiller(call: Call, _program: unknown, from: number): readonly Word[] {
  const { words } = call
  words.forEach(({ value }, at) => {
    if (!/^(?:tee|split|put|filter)$/.test(value ?? '') || !isVerb(words, from, at)) return
    const options = optionsBehind(words, at)
    const operand = words[at + 1 + options.length]
    if (value === 'tee') writeCopy(call, options, operand)
    else if (value === 'split') writePieces(call, options)
    else readPrograms(call, options, operand)
  })
  return words
}

/** The first of the chain follows the options of the program, and their values. */
function isVerb(words: readonly Word[], from: number, at: number): boolean {
  if (words[at - 1]?.value === 'then') return true
  return words.slice(from, at).every((word, index) => isOption(word) || (index > 0 && isOption(words[from + index - 1])))
}

function isOption(word: Word | undefined): boolean {
  return word !== undefined && leadingText(word).startsWith('-')
}

/** With their values. */
function optionsBehind(words: readonly Word[], at: number): readonly Word[] {
  let end = at + 1
  while (isOption(words[end])) end += WITH_VALUE.test(words[end]?.value ?? '') ? 2 : 1
  return words.slice(at + 1, end)
}

function valuesOf(options: readonly Word[], name: string): readonly Word[] {
  return options.filter((_, at) => options[at - 1]?.value === name)
}

/** `tee -p` hands the records to a command. */
function writeCopy(call: Call, options: readonly Word[], target: Word | undefined): void {
  if (options.some(({ value }) => value === '-p')) notCovered(call, 'mlr tee -p runs a command')
  if (target !== undefined) touchArgument(call, 'write', target, 'full')
}

/** `x_1.csv`, `x_2.csv` ... */
function writePieces(call: Call, options: readonly Word[]): void {
  const [begin = textWord('split')] = valuesOf(options, '--prefix')
  touchArgument(call, 'write', makeWord([...begin.parts, { kind: 'text', value: '_1' }], begin.source), 'full')
}

/** Without `-e` and `-f` the operand is the program. */
function readPrograms(call: Call, options: readonly Word[], operand: Word | undefined): void {
  const files = valuesOf(options, '-f')
  for (const file of files) touchArgument(call, 'read', file, 'deny-only')
  if (files.length > 0) notCovered(call, 'mlr runs the program in a file')
  const given = valuesOf(options, '-e')
  const programs = files.length > 0 || given.length > 0 || operand === undefined ? given : [operand]
  for (const program of programs) readProgram(call, program)
}

/** `system("x")`, `exec("x", ["y"])`, `print | "x", $y`. */
const RUNS = /\b(?:system|exec)\s{0,8}\(\s{0,8}(?:"((?:\\.|[^"\\])*)")?|[^|]\|\s{0,8}"((?:\\.|[^"\\])*)"/g
/** Nobody writes more of them. */
const MAX_ACTIONS = 64
/** `tee > "x", $*`: up to the end of the statement. */
const WRITES = /\b(?:tee|emit[1fp]?|e?dump|e?printn?)\b[^;{}\n]{0,128}?>>?\s{0,8}(?:stdout\b|stderr\b|"([^"\\]*)"(?!\s*\.))?/g

function readProgram(call: Call, { value }: Word): void {
  if (value === null) {
    notCovered(call, 'mlr runs a program that is only known at run time')
    return
  }
  for (const [, run, piped] of [...value.matchAll(RUNS)].slice(0, MAX_ACTIONS)) {
    const code = run ?? piped
    notCovered(call, 'mlr runs a command')
    if (code !== undefined) runCode(call.walk, { code: textWord(code), span: call.unit.span, by: 'mlr' }, behindMiller(call))
  }
  for (const [text, name] of [...value.matchAll(WRITES)].slice(0, MAX_ACTIONS)) {
    if (name !== undefined) touchArgument(call, 'write', textWord(name), 'full')
    else if (!/std(?:out|err)$/.test(text)) notCovered(call, 'mlr writes a file that is only known at run time')
  }
}

function behindMiller({ place }: Call): Call['place'] {
  return { ...place, role: 'deny-only', behind: [...place.behind, 'mlr'] }
}
