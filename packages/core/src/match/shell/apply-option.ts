// What options and operands do: files they touch, commands they start, code they hold.
import { posix } from 'node:path'
import { type Call, notCovered, runInner, splitWords, touchArgument } from './call.ts'
import { runCode } from './nested-code.ts'
import type { ParsedArguments, ParsedOption } from './parse-options.ts'
import { runGitSetting } from './reader/git-setting.ts'
import { readSedScript } from './reader/sed-script.ts'
import { startsProgram } from './reader/statement.ts'
import type { Word, WordPart } from './shell-analysis.ts'
import type { Program } from './table/program.ts'
import type { Place } from './walk.ts'
import { dropText, leadingText, makeWord, textWord } from './word.ts'

/** Returns the place for what comes after: `-C dir` moves it. */
export function applyOption(call: Call, option: ParsedOption, parsed: ParsedArguments): Place {
  const { value, written } = option
  switch (option.use) {
    case 'danger':
    case 'danger-value':
      if (value?.value && isSwitchedOff(call.name, written, value.value)) break
      notCovered(call, `${call.name} ${written} can run or load code`)
      break
    case 'code':
    case 'code-file':
      call.unit.traits.push({ kind: 'interpreter-code', option: written })
      if (value && option.use === 'code-file') touchArgument(call, 'read', value, 'deny-only')
      break
    case 'in-place':
      break
    case 'directory':
    case 'target':
      if (value) return moveBase(call.place, value)
      break
    default:
      if (value) applyValue(call, option, value, parsed)
  }
  return call.place
}

/** `pytest -p no:cacheprovider` leaves a plugin out. */
function isSwitchedOff(name: string, option: string, value: string): boolean {
  return name === 'pytest' && option === '-p' && value.startsWith('no:')
}

function applyValue(call: Call, option: ParsedOption, value: Word, parsed: ParsedArguments): void {
  const by = `${call.name} ${option.written}`
  switch (option.use) {
    case 'read':
    case 'named-read':
      touchArgument(call, 'read', value, 'deny-only')
      return
    case 'write':
      touchArgument(call, 'write', value, 'full')
      return
    case 'write-own':
      touchArgument(call, 'write', value, 'deny-only')
      return
    case 'archive':
      touchArgument(call, isMakingArchive(parsed) ? 'write' : 'read', value, 'deny-only')
      return
    case 'into':
      fillDirectory(call, value)
      return
    case 'rules':
      if (isStream(value)) call.unit.traits.push({ kind: 'interpreter-code', option: option.written })
      else touchArgument(call, 'read', value, 'deny-only')
      return
    case 'upload':
      uploadFile(call, value)
      return
    case 'module':
      if (/^(?:timeit|code|pdb|asyncio)$/.test(value.value ?? ''))
        call.unit.traits.push({ kind: 'interpreter-code', option: option.written })
      return
    case 'statement':
      if (startsProgram(value)) call.unit.traits.push({ kind: 'interpreter-code', option: option.written })
      return
    case 'shell':
    case 'shell-maybe':
      runCode(call.walk, { code: value, span: call.unit.span, by }, { ...call.place, behind: [...call.place.behind, by] })
      return
    case 'words':
      runInner(call, { words: splitWords(value), behind: by })
      return
    case 'git-config':
      runGitSetting(call, value, by)
      return
    case 'ssh-option':
      applySshOption(call, value, by)
      return
    case 'tar-action':
      applyTarAction(call, value, by)
      return
    case 'sed-script':
      readSedScript(call, value)
      return
    default:
      return
  }
}

/** A pipe or a descriptor instead of a file. */
export function isStream(word: Word): boolean {
  return /^(?:-$|\/dev\/(?:stdin$|fd\/)|\/proc\/[^/]+\/(?:task\/[^/]+\/)?fd\/)/.test(leadingText(word))
}

/** What comes out of an archive has names that nobody gave: the directory and any name in it stand for them. */
export function fillDirectory(call: Call, directory: Word): void {
  touchArgument(call, 'write', directory, 'deny-only')
  touchArgument(call, 'write', insideDirectory(directory, textWord('unpacked')), isOutside(call, directory) ? 'full' : 'deny-only')
}

function isOutside({ walk: { context } }: Call, directory: Word): boolean {
  const path = directory.value ?? ''
  return path.startsWith('/') && !`${posix.normalize(path)}/`.startsWith(`${context.root}/`)
}

function uploadFile(call: Call, value: Word): void {
  const at = /^(?:[^=@<]*=)?[@<]/.exec(leadingText(value))
  if (!at) return
  const path = dropText(value, at[0].length)
  touchArgument(call, 'read', path.value === null ? path : textWord(path.value.replace(/;.*$/s, ''), path.source), 'deny-only')
}

function isMakingArchive(parsed: ParsedArguments): boolean {
  return parsed.options.some(option => /^-[cruA]$|^--delete$/.test(option.name))
}

export function moveBase(place: Place, target: Word): Place {
  const { bases } = place.scope
  const path = target.glob ? null : target.value
  const moved = path === null || bases === null ? null : bases.map(base => posix.resolve('/', base, path))
  return { ...place, scope: { ...place.scope, bases: path?.startsWith('/') ? [posix.normalize(path)] : moved } }
}

function applySshOption(call: Call, value: Word, by: string): void {
  const match = /^\s*(\w+)(?:\s*=\s*|\s+)/.exec(leadingText(value))
  const name = match?.[1]?.toLowerCase()
  if (!match || !name) {
    notCovered(call, `${by} sets an option that is only known at run time`)
    return
  }
  if (name === 'proxycommand' || name === 'localcommand' || name === 'knownhostscommand' || name === 'remotecommand') {
    const code = dropText(value, match[0].length)
    if (code.value?.toLowerCase() === 'none') return
    runCode(
      call.walk,
      { code, span: call.unit.span, by: `${by} ${name}` },
      { ...call.place, behind: [...call.place.behind, `${by} ${name}`] },
    )
  }
  if (/^(?:match|include|pkcs11provider|securitykeyprovider|xauthlocation|proxyusefdpass|permitlocalcommand)$/.test(name))
    notCovered(call, `${by} ${name} can run code`)
}

function applyTarAction(call: Call, value: Word, by: string): void {
  const text = leadingText(value)
  if (text.startsWith('exec=')) {
    const code = dropText(value, 5)
    runCode(call.walk, { code, span: call.unit.span, by }, { ...call.place, behind: [...call.place.behind, by] })
    return
  }
  if (value.value === null) notCovered(call, `${by} is only known at run time`)
}

export function applyOperands(call: Call, program: Program, parsed: ParsedArguments, words: readonly Word[]): void {
  const operands = parsed.operands.map(index => words[index] as Word)
  switch (program.operands) {
    case 'read':
      for (const word of operands) touchArgument(call, 'read', word, 'deny-only')
      return
    case 'write':
      for (const word of operands) touchArgument(call, 'write', word, 'full')
      return
    case 'write-own':
      for (const word of operands) touchArgument(call, 'write', word, 'deny-only')
      return
    case 'write-own-after-first':
      for (const word of operands.slice(1)) touchArgument(call, 'write', word, 'deny-only')
      return
    case 'read-after-first':
      readAfterFirst(call, parsed, operands)
      return
    case 'revisions':
      for (const word of operands)
        if (word.value !== null) touchArgument(call, 'read', textWord(word.value.replace(/^[^:]*:(?:[0-3]:)?/, '')), 'deny-only')
      return
    case 'members':
      for (const word of isMakingArchive(parsed) ? operands : []) if (word.value !== null) touchArgument(call, 'read', word, 'deny-only')
      return
    case 'copy':
    case 'move':
      copyFiles(call, program.operands, parsed, operands)
      return
    case 'assignments':
      applyAssignments(call, operands)
      return
    case 'script':
      runScriptFile(call, parsed, operands)
      return
    default:
      return
  }
}

/** The first operand is the pattern, the filter, the script, unless an option gave it. */
function readAfterFirst(call: Call, parsed: ParsedArguments, operands: readonly Word[]): void {
  const given = parsed.options.some(
    option => /^-(?:e|f|-regexp|-file|-files|-from-file)$/.test(option.name) || option.use === 'sed-script' || option.name === '--files',
  )
  const inPlace = parsed.options.some(option => option.use === 'in-place')
  for (const word of given ? operands : operands.slice(1)) {
    touchArgument(call, 'read', word, 'deny-only')
    if (inPlace) touchArgument(call, 'write', word, 'full')
  }
}

/** Programs that also copy between machines; what they write under their own allow. */
const REMOTE = new Set(['rsync', 'scp', 'docker', 'podman', 'nerdctl'])

function copyFiles(call: Call, use: 'copy' | 'move', parsed: ParsedArguments, operands: readonly Word[]): void {
  const isRemote = REMOTE.has(call.name)
  const isElsewhere = (word: Word) => isRemote && /^[^/]*:/.test(leadingText(word))
  const into = parsed.options.find(option => option.name === '-t' && option.use === 'write-own')?.value
  const target = into ?? (operands.length < 2 ? undefined : operands.at(-1))
  const sources = into || !target ? operands : operands.slice(0, -1)
  for (const word of sources) {
    if (isElsewhere(word)) continue
    touchArgument(call, 'read', word, 'deny-only')
    if (use === 'move') touchArgument(call, 'write', word, 'deny-only')
  }
  if (!target || isElsewhere(target)) return
  const isDirectory = into !== undefined || sources.length > 1 || /(?:^|\/)\.{0,2}$/.test(target.value ?? '')
  touchArgument(call, 'write', target, isRemote || isDirectory ? 'deny-only' : 'full')
  if (isDirectory && !isRemote) for (const word of sources) touchArgument(call, 'write', insideDirectory(target, word), 'full')
}

/** `dist/` and `src/a.ts` -> `dist/a.ts`. */
function insideDirectory(directory: Word, file: Word): Word {
  const parts: WordPart[] = []
  for (const part of [...file.parts].reverse()) {
    if (part.kind === 'hole') {
      parts.unshift(part)
      continue
    }
    const value = parts.length === 0 ? part.value.replace(/\/+$/, '') : part.value
    const slash = value.lastIndexOf('/')
    parts.unshift({ kind: part.kind, value: value.slice(slash + 1) })
    if (slash >= 0) break
  }
  return makeWord([...directory.parts, { kind: 'text', value: '/' }, ...parts], file.source)
}

function applyAssignments(call: Call, operands: readonly Word[]): void {
  for (const word of operands) {
    const text = leadingText(word)
    if (text.startsWith('of=')) touchArgument(call, 'write', dropText(word, 3), 'full')
    if (text.startsWith('if=')) touchArgument(call, 'read', dropText(word, 3), 'deny-only')
  }
}

/** An interpreter with a file to run, or with its code on standard input. */
function runScriptFile(call: Call, parsed: ParsedArguments, operands: readonly Word[]): void {
  const [script] = operands
  if (parsed.options.some(option => option.use === 'in-place')) for (const word of operands) touchArgument(call, 'write', word, 'full')
  if (parsed.options.some(option => option.use === 'code' || option.name === '-m' || option.name === '--test' || option.name === '--run'))
    return
  if (script && !isStream(script)) {
    if (script.value !== null) touchArgument(call, 'read', script, 'deny-only')
    return
  }
  if (script || call.place.stdin.kind !== 'inherited') call.unit.traits.push({ kind: 'interpreter-code', option: script?.value ?? '-' })
}
