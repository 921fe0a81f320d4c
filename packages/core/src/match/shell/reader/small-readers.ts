// Short readers: git's transports, parallel, `+command` of pagers and editors, at, old-style tar, make's variables.
import { applyOption } from '../apply-option.ts'
import { fillDirectory } from '../argument-file.ts'
import { type Call, notCovered, runInner, touchArgument, vouchFor } from '../call.ts'
import { opaqueCode, runCode } from '../nested-code.ts'
import { parseOptions } from '../parse-options.ts'
import type { Word } from '../shell-analysis.ts'
import { git } from '../table/git-table.ts'
import { type Program, readOptions } from '../table/program.ts'
import { dropText, joinWords, leadingText, textWord } from '../word.ts'
import { runGitVariables } from './git-setting.ts'

/** `ext::` and unknown transports run commands wherever a remote can stand. */
export function readGit(call: Call): readonly Word[] {
  runGitVariables(call)
  for (const word of call.words) {
    const text = leadingText(word)
    const transport = /^(?:[\w-]+=)?(?:ext|fd)::/.exec(text)
    if (transport) {
      notCovered(call, `git runs the command in ${text}`)
      runTransport(call, dropText(word, transport[0].length))
    }
    if (/^(?:ssh:\/\/|[\w.]*@)-/.test(text)) notCovered(call, `ssh takes ${text} for an option`)
  }
  return call.words
}

/** `ext::sh -c rm% -rf% x`: blanks that belong to an argument are written `% `. */
function runTransport(call: Call, { value }: Word): void {
  if (value === null) return
  const words = value.split(/(?<!%) /).map(part => textWord(part.replace(/%(.)/g, '$1')))
  runInner(call, { words, behind: 'git ext::', role: 'deny-only' })
}

/** `gh repo clone x -- --depth 1`: what stands behind is for `git clone`. */
export function readGhClone(call: Call, _program: Program, from: number): readonly Word[] {
  const end = call.words.findIndex((word, index) => index >= from && word.value === '--')
  const clone = git.verbs?.clone
  if (end < 0 || clone === undefined) return call.words
  const parsed = parseOptions(clone, call.words, end + 1)
  for (const option of parsed.options) applyOption(call, option, parsed)
  return call.words.slice(0, end)
}

/** `parallel cmd {} ::: args`: the command is read by a shell; without one the arguments are commands. */
export function readParallel(call: Call, program: Program, from: number): null {
  const parsed = parseOptions(program, call.words, from)
  for (const option of parsed.unknowns) call.unit.traits.push({ kind: 'unknown-wrapper-option', option })
  const operands = parsed.operands.map(index => call.words[index] as Word)
  const end = operands.findIndex(word => /^:::[:+]*$/.test(word.value ?? ''))
  const command = end < 0 ? operands : operands.slice(0, end)
  if (command.length === 0) {
    opaqueCode(call.walk, 'parallel', 'arguments given at run time', { span: call.unit.span, place: call.place })
    return null
  }
  for (const { use, value } of parsed.options) {
    if (use === 'read' && value) touchArgument(call, 'read', value, 'deny-only')
    if ((use === 'write' || use === 'write-own') && value) touchArgument(call, 'write', value, 'deny-only')
  }
  const first = call.walk.units.length
  const inputs = end < 0 ? [] : operands.slice(end + 1)
  if (operands[end]?.value?.startsWith('::::')) for (const file of inputs) touchArgument(call, 'read', file, 'deny-only')
  for (const given of givenInputs(operands[end], inputs)) {
    const code = joinWords(
      command.map(word => fillBraces(word, given)).concat(given !== SUPPLIED && !hasBraces(command) ? [textWord(given)] : []),
    )
    runCode(
      call.walk,
      { code, span: call.unit.span, by: 'parallel' },
      { ...call.place, role: 'deny-only', behind: [...call.place.behind, 'parallel'] },
    )
  }
  vouchFor(call, first)
  return null
}

const SUPPLIED = '"$__supplied__"'
/** Longer lists are taken for anything. */
const MAX_INPUTS = 8

/** Each argument behind a single `:::`, quoted, and anything at all. */
function givenInputs(mark: Word | undefined, inputs: readonly Word[]): readonly string[] {
  const known = inputs.map(word => word.value)
  if (mark?.value !== ':::' || known.length > MAX_INPUTS || known.some(value => value === null || /^:::/.test(value))) return [SUPPLIED]
  return [...known.map(value => `'${value?.replaceAll("'", `'\\''`)}'`), SUPPLIED]
}

const BRACES = /\{[^{}\s]*\}/g

function hasBraces(command: readonly Word[]): boolean {
  return command.some(word => word.value?.match(BRACES))
}

function fillBraces(word: Word, given: string): Word {
  return word.value === null
    ? word
    : textWord(
        word.value.replace(BRACES, () => given),
        word.source,
      )
}

export function readPlusCommand(call: Call): readonly Word[] {
  for (const word of call.words.slice(1)) {
    const text = leadingText(word)
    if (!text.startsWith('+')) continue
    if (!/^\++(?:\d*|[gGF]|\/.*)$/.test(text) || word.value === null) call.unit.traits.push({ kind: 'interpreter-code', option: '+' })
  }
  return call.words.filter(word => !leadingText(word).startsWith('+'))
}

/** `date 01020304` sets the clock; a format begins with a plus. BSD's `-j` only shows. */
export function readClock(call: Call, program: Program, from: number): readonly Word[] {
  const { operands, options } = parseOptions(program, call.words, from)
  const sets = operands.some(at => !leadingText(call.words[at] as Word).startsWith('+')) && !options.some(({ name }) => name === '-j')
  if (sets) notCovered(call, 'date with a time sets the clock')
  return call.words
}

/** at, batch: standard input is a shell script for later. */
export function readAt(call: Call): readonly Word[] {
  const { stdin } = call.place
  if (stdin.kind === 'text' || (stdin.kind === 'pipe' && stdin.text)) {
    const code = stdin.text as Word
    const first = call.walk.units.length
    runCode(
      call.walk,
      { code, span: call.unit.span, by: call.name },
      { ...call.place, role: 'deny-only', behind: [...call.place.behind, call.name] },
    )
    vouchFor(call, first)
  } else if (stdin.kind !== 'inherited') opaqueCode(call.walk, call.name, 'a pipe or file', { span: call.unit.span, place: call.place })
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
  const into = options.findLast(option => option.use === 'directory' || option.name === '--one-top-level')?.value
  if (unpacks && options.some(option => option.name === '-P')) notCovered(call, 'tar -P unpacks to wherever the archive says')
  if (unpacks) fillDirectory(call, into ?? textWord('.'))
  if (unpacks && options.some(option => option.name === '--transform')) notCovered(call, 'tar --transform unpacks under names it makes up')
  return words
}

/** `ssh-keygen -l -f x` shows what `x` is; without such an option it writes the key. */
export function readKeyFile(call: Call, program: Program, from: number): null {
  const parsed = parseOptions(program, call.words, from)
  const isLooking = parsed.options.some(({ name }) => /^-[lyeiFBL]$/.test(name))
  for (const option of parsed.options) applyOption(call, isLooking && option.name === '-f' ? { ...option, use: 'read' } : option, parsed)
  return null
}

/** Variables given to make can replace the shell it runs. */
export function readMake(call: Call): readonly Word[] {
  call.words.forEach((word, index) => {
    const text = leadingText(word)
    if (/^(?:SHELL|\.SHELLFLAGS|MAKE|MAKEFLAGS|MAKEFILES|PATH|LD_PRELOAD|LD_LIBRARY_PATH|BASH_ENV|ENV)[:+?!]*=/.test(text))
      notCovered(call, `make ${text} replaces a program that make runs`)
    else if (isLoadedVariable(text)) notCovered(call, `make ${text} can run a command`)
    if (text === '-' && /^(?:-\w*f|--file|--makefile)$/.test(call.words[index - 1]?.value ?? ''))
      notCovered(call, 'make reads its rules from standard input')
    if (/^(?:-f-|--(?:make)?file=-)$/.test(text)) notCovered(call, 'make reads its rules from standard input')
  })
  return call.words
}

const TOOLS =
  /^(?:CC|CXX|CPP|FC|LD|AR|AS|NM|RANLIB|STRIP|OBJCOPY|LEX|YACC|INSTALL|RM|MV|CP|SH|BASH|SUDO|PYTHON\d*|PERL|NODE|NPM|GO|CARGO|GIT|DOCKER|CURL|WGET|EDITOR|PAGER)$/

/** `X!=cmd` runs at once, `$(shell cmd)` and what a recipe hands to its shell later; a program by another name than its own is another one. */
function isLoadedVariable(text: string): boolean {
  const [, name = '', operator, value = ''] = /^([\w.-]+)\s*([:+?!]{0,3}=)(.*)$/s.exec(text) ?? []
  if (operator === undefined) return false
  return operator.startsWith('!') || /[`$;|&<>\n]/.test(value) || (TOOLS.test(name) && !/^[\w.+-]*$/.test(value))
}
