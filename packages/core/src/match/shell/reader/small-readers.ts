// Short readers: git's transports, parallel, `+command` of pagers and editors, at, old-style tar, make's variables.
import { fillDirectory } from '../apply-option.ts'
import { type Call, notCovered } from '../call.ts'
import { opaqueCode, runCode } from '../nested-code.ts'
import { parseOptions } from '../parse-options.ts'
import type { Word } from '../shell-analysis.ts'
import { type Program, readOptions } from '../table/program.ts'
import { joinWords, leadingText, textWord } from '../word.ts'

/** `ext::` and unknown transports run commands wherever a remote can stand. */
export function readGit(call: Call): readonly Word[] {
  for (const word of call.words) {
    const text = leadingText(word)
    if (/^(?:[\w-]+=)?(?:ext|fd)::/.test(text)) notCovered(call, `git runs the command in ${text}`)
  }
  return call.words
}

/** `parallel cmd {} ::: args`: the command is read by a shell; without one the arguments are commands. */
export function readParallel(call: Call, program: Program, from: number): null {
  const parsed = parseOptions(program, call.words, from)
  for (const option of parsed.unknowns) call.unit.traits.push({ kind: 'unknown-wrapper-option', option })
  const operands = parsed.operands.map(index => call.words[index] as Word)
  const end = operands.findIndex(word => /^:::[:+]*$/.test(word.value ?? ''))
  const command = end < 0 ? operands : operands.slice(0, end)
  if (command.length === 0) {
    opaqueCode(call.walk, 'parallel', 'arguments given at run time', call.unit.span, call.place)
    return null
  }
  const words = command.map(word =>
    word.value === null ? word : textWord(word.value.replace(/\{[^}\s]*\}/g, '"$__supplied__"'), word.source),
  )
  const code = joinWords(words)
  runCode(
    call.walk,
    { code, span: call.unit.span, by: 'parallel' },
    { ...call.place, role: 'deny-only', behind: [...call.place.behind, 'parallel'] },
  )
  return null
}

export function readPlusCommand(call: Call): readonly Word[] {
  for (const word of call.words.slice(1)) {
    const text = leadingText(word)
    if (!text.startsWith('+')) continue
    if (!/^\++(?:\d*|[gGF]|\/.*)$/.test(text) || word.value === null) call.unit.traits.push({ kind: 'interpreter-code', option: '+' })
  }
  return call.words.filter(word => !leadingText(word).startsWith('+'))
}

/** at, batch: standard input is a shell script for later. */
export function readAt(call: Call): readonly Word[] {
  const { stdin } = call.place
  if (stdin.kind === 'text' || (stdin.kind === 'pipe' && stdin.text)) {
    const code = stdin.text as Word
    runCode(
      call.walk,
      { code, span: call.unit.span, by: call.name },
      { ...call.place, role: 'deny-only', behind: [...call.place.behind, call.name] },
    )
  } else if (stdin.kind !== 'inherited') opaqueCode(call.walk, call.name, 'a pipe or file', call.unit.span, call.place)
  return call.words
}

/** `tar cf x.tar .`: the first word holds options without a dash, each taking its value from the words that follow. */
export function readTar(call: Call, program: Program, from: number): readonly Word[] {
  const first = call.words[from]?.value ?? ''
  if (!/^[A-Za-z]+$/.test(first)) return unpack(call, program, from, call.words)
  const options = readOptions(program.options ?? '')
  const rest = call.words.slice(from + 1)
  const words: Word[] = call.words.slice(0, from)
  for (const letter of first) {
    words.push(textWord(`-${letter}`))
    const use = options.byName.get(`-${letter}`)?.use ?? 'flag'
    const value = use === 'flag' ? undefined : rest.shift()
    if (value) words.push(value)
  }
  return unpack(call, program, from, [...words, ...rest])
}

/** What is unpacked lands in the directory of `-C`, or where the command runs. */
function unpack(call: Call, program: Program, from: number, words: readonly Word[]): readonly Word[] {
  const { options } = parseOptions(program, words, from)
  const unpacks = options.some(option => option.name === '-x') && !options.some(option => option.name === '-O')
  const into = options.findLast(option => option.use === 'directory')?.value
  if (unpacks) fillDirectory(call, into ?? textWord('.'))
  return words
}

/** Variables given to make can replace the shell it runs. */
export function readMake(call: Call): readonly Word[] {
  call.words.forEach((word, index) => {
    const text = leadingText(word)
    if (/^(?:SHELL|\.SHELLFLAGS|MAKE|MAKEFLAGS|MAKEFILES)[:+?!]*=/.test(text))
      notCovered(call, `make ${text} replaces a program that make runs`)
    if (text === '-' && /^(?:-\w*f|--file|--makefile)$/.test(call.words[index - 1]?.value ?? ''))
      notCovered(call, 'make reads its rules from standard input')
    if (/^(?:-f-|--(?:make)?file=-)$/.test(text)) notCovered(call, 'make reads its rules from standard input')
  })
  return call.words
}
