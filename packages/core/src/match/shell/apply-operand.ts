// What the operands of a program are: files it reads, writes or copies, and scripts it runs.
import { posix } from 'node:path'
import { applyArchive } from './archive.ts'
import { insideDirectory, isStream, runProject } from './argument-file.ts'
import { type Call, runInner, sentText, touchArgument, vouchFor } from './call.ts'
import { downloadFiles } from './download.ts'
import { guessFiles } from './likely-file.ts'
import { noteName, noteText } from './made-file.ts'
import { runOwnProgram } from './own-program.ts'
import type { ParsedArguments } from './parse-options.ts'
import { pathspecOperands, pathspecWords } from './pathspec.ts'
import type { Word } from './shell-analysis.ts'
import type { Program } from './table/program.ts'
import { dropText, isSupplied, leadingText, makeWord, textWord } from './word.ts'

export function applyOperands(call: Call, program: Program, parsed: ParsedArguments, words: readonly Word[]): void {
  const given = parsed.operands.map(index => words[index] as Word)
  const operands = call.name === 'git' && TAKES_PATHSPECS.has(program.operands ?? 'data') ? gitOperands(call, given) : given
  switch (program.operands) {
    case 'read':
      for (const word of operands) touchArgument(call, 'read', word, 'deny-only')
      return
    case 'projects':
      for (const word of operands) {
        if (/^(?:\.\.?\/|\/)/.test(word.value ?? '')) runProject(call, call.name, word)
        touchArgument(call, 'read', word, 'guess')
      }
      return
    case 'write':
      for (const word of operands) touchArgument(call, 'write', word, 'full')
      return
    case 'write-own':
      for (const word of operands) touchArgument(call, 'write', word, 'deny-only')
      return
    case 'format':
      rewriteFiles(call, parsed, operands)
      return
    case 'rewrite':
      for (const word of operands) {
        touchArgument(call, 'read', word, 'deny-only')
        touchArgument(call, 'write', word, 'deny-only')
      }
      return
    case 'write-own-after-first':
      for (const word of operands.slice(1)) touchArgument(call, 'write', word, 'deny-only')
      return
    case 'search':
      readAfterFirst(
        call,
        parsed,
        operands.flatMap(word => pathspecWords(word, true)),
      )
      return
    case 'read-after-first':
      readAfterFirst(call, parsed, operands)
      return
    case 'revisions':
      readRevisions(call, parsed, operands)
      return
    case 'checkout':
      checkOut(call, parsed, operands)
      return
    case 'members':
    case 'pack':
    case 'unpack':
    case 'compress':
      applyArchive(call, program.operands, parsed, operands)
      return
    case 'pages':
      for (const word of operands)
        if (leadingText(word).includes('/') || parsed.options.some(option => option.name === '-l'))
          touchArgument(call, 'read', word, 'deny-only')
      return
    case 'download':
      downloadFiles(call, parsed, operands)
      return
    case 'link':
      if (operands.length === 2)
        noteName(call.walk, call.place, { path: operands[1] as Word, source: operands[0] as Word, kind: 'same', isDirectory: false })
      for (const word of operands.slice(0, 1)) touchArgument(call, 'read', word, 'deny-only')
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

/** What git's sub-commands with such operands are given are path patterns. */
const TAKES_PATHSPECS: ReadonlySet<NonNullable<Program['operands']>> = new Set(['read', 'write-own', 'rewrite'])

function gitOperands({ words }: Call, given: readonly Word[]): readonly Word[] {
  const ignoresCase = words.some(({ value }) => value === '--icase-pathspecs')
  return pathspecOperands(given, ignoresCase)
}

/** A formatter without operands takes the whole project. */
function rewriteFiles(call: Call, parsed: ParsedArguments, operands: readonly Word[]): void {
  const isWriting = parsed.options.some(option => option.use === 'in-place')
  for (const word of isWriting && operands.length === 0 ? [textWord('formatted')] : operands) {
    touchArgument(call, 'read', word, 'deny-only')
    if (isWriting) touchArgument(call, 'write', word, 'deny-only')
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

/** Behind `--` only paths stand. */
function readRevisions(call: Call, parsed: ParsedArguments, operands: readonly Word[]): void {
  const end = call.words.findIndex(word => word.value === '--')
  operands.forEach((word, index) => {
    const isPath = end >= 0 && (parsed.operands[index] ?? 0) > end
    for (const path of pathspecWords(word, isPath)) touchArgument(call, 'read', path, 'deny-only')
  })
}

/** All but the first are paths for certain; the first is one where `--` stands before it, else it may be a revision. */
function checkOut(call: Call, parsed: ParsedArguments, operands: readonly Word[]): void {
  const isBranch = parsed.options.some(option => /^-(?:b|B|-orphan|t|d)$/.test(option.name))
  const end = call.words.findIndex(word => word.value === '--')
  parsed.operands.forEach((at, index) => {
    const isPath = (end >= 0 && at > end) || (index > 0 && !isBranch)
    for (const path of pathspecWords(operands[index] as Word, isPath)) touchArgument(call, 'write', path, isPath ? 'deny-only' : 'guess')
  })
}

/** Programs that also copy between machines. */
const REMOTE = new Set('rsync scp sftp docker podman nerdctl kubectl oc aws gsutil gcloud rclone'.split(' '))

function copyFiles(call: Call, use: 'copy' | 'move', parsed: ParsedArguments, operands: readonly Word[]): void {
  const isRemote = REMOTE.has(call.name)
  const isElsewhere = (word: Word) => isRemote && /^[^/]*:/.test(leadingText(word))
  const into = parsed.options.find(option => option.name === '-t' && option.use === 'write-own')?.value
  const target = into ?? (operands.length < 2 ? undefined : operands.at(-1))
  const sources = into || !target ? operands : operands.slice(0, -1)
  const isLink = parsed.options.some(option => option.name === '-s' && option.use === 'flag') && call.name !== 'install'
  // `ln -sr`: the source counts from here, as of a hard link.
  const isRelative = isLink && parsed.options.some(option => option.name === '-r')
  for (const word of sources) {
    if (isElsewhere(word)) continue
    touchArgument(call, 'read', isLink && !isRelative && target ? fromLink(word, target) : word, 'deny-only')
    if (use === 'move') touchArgument(call, 'write', word, 'deny-only')
  }
  if (!target) copyHere(call, isLink ? sources : [], sources.filter(isElsewhere))
  writeBeforeSupplied(call, target, sources)
  if (!target || isElsewhere(target)) return
  const isDirectory = into !== undefined || sources.length > 1 || /(?:^|\/)\.{0,2}$/.test(target.value ?? '')
  noteStreams(call, sources, word => (isDirectory ? insideDirectory(target, word) : target))
  touchArgument(call, 'write', target, isDirectory ? 'deny-only' : 'full')
  if (isRemote) {
    const here = sources.filter(word => !isElsewhere(word))
    writeArrived(call, target, { here, far: sources.filter(isElsewhere), isDirectory })
    for (const word of here) noteName(call.walk, call.place, { path: target, source: word, kind: 'copy', isDirectory: false })
    return
  }
  const kind = isLink && !isRelative ? 'symbolic' : isRelative || call.name === 'ln' || call.name === 'link' ? 'same' : 'copy'
  for (const word of sources) noteName(call.walk, call.place, { path: target, source: word, kind, isDirectory })
  if (isDirectory) for (const word of sources) touchArgument(call, 'write', insideDirectory(target, word), 'full')
}

/** `ln -s a/b` makes b, `sftp h:a` fetches a. */
function copyHere(call: Call, linked: readonly Word[], far: readonly Word[]): void {
  const here = textWord('.')
  for (const word of linked) noteName(call.walk, call.place, { path: here, source: word, kind: 'symbolic', isDirectory: true })
  if (call.name === 'sftp') writeArrived(call, here, { here: [], far, isDirectory: true })
}

/** `cp /dev/stdin a`, `install <(echo x) a`: a pipe and no file. */
function noteStreams(call: Call, sources: readonly Word[], targetOf: (source: Word) => Word): void {
  for (const word of sources) {
    const isPipe = word.source.startsWith('<(')
    const text = isPipe ? (call.unit.input ?? null) : sentText(call.place)
    if (isPipe || isStream(word)) noteText(call.walk, call.place, targetOf(word), text)
  }
}

/** `xargs cp a b` without anything to append writes b. */
function writeBeforeSupplied(call: Call, target: Word | undefined, sources: readonly Word[]): void {
  const last = sources.at(-1)
  if (target !== undefined && isSupplied(target) && !REMOTE.has(call.name) && sources.length > 1 && last !== undefined)
    touchArgument(call, 'write', last, 'deny-only')
}

interface Arrived {
  readonly here: readonly Word[]
  readonly far: readonly Word[]
  readonly isDirectory: boolean
}

/** `scp h:a .` fills `./a`. */
function writeArrived(call: Call, target: Word, { here, far, isDirectory }: Arrived): void {
  for (const word of far) touchArgument(call, 'write', insideDirectory(target, farPath(word)), isDirectory ? 'full' : 'deny-only')
  for (const word of isDirectory ? here : []) touchArgument(call, 'write', insideDirectory(target, word), 'full')
}

/** The path behind `host:`. */
function farPath(word: Word): Word {
  return dropText(word, leadingText(word).indexOf(':') + 1)
}

/** A link holds a text, which is read from the folder it lies in: `ln -s ../.env src/z` is a name for `.env`. */
function fromLink(source: Word, link: Word): Word {
  const folder = link.value === null ? null : posix.dirname(link.value)
  if (source.value === null || source.value.startsWith('/') || folder === null || folder === '.') return source
  return makeWord([{ kind: 'text', value: `${folder}/` }, ...source.parts], source.source)
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
  const given = parsed.options.some(option => option.use === 'code')
  // `perl -ne CODE file`: every operand is read line by line.
  if (given && parsed.options.some(option => option.name === '-n' || option.name === '-p' || option.name === '-R'))
    for (const word of operands) touchArgument(call, 'read', word, 'deny-only')
  if (parsed.options.some(option => option.use === 'in-place')) for (const word of operands) touchArgument(call, 'write', word, 'full')
  if (given || parsed.options.some(option => option.name === '-m' || option.name === '--test' || option.name === '--run')) return
  if (script && !isStream(script)) {
    runOwnProgram(call, script.value ?? '', operands.slice(1))
    runPackage(call, script, operands.slice(1))
    guessFiles(call, operands.slice(1))
    if (script.value !== null) touchArgument(call, 'read', script, 'deny-only')
    return
  }
  if (script || call.place.stdin.kind !== 'inherited') call.unit.traits.push({ kind: 'interpreter-code', option: script?.value ?? '-' })
}

/** `deno run npm:prisma@5 migrate reset`: the program of a package. */
function runPackage(call: Call, { value, source }: Word, given: readonly Word[]): void {
  const name = /^npm:\/?((?:@[^/@]+\/)?[^/@]+)/.exec(value ?? '')?.[1]
  if (name === undefined) return
  const first = call.walk.units.length
  runInner(call, { words: [textWord(name, source), ...given], behind: `${call.name} run`, role: 'deny-only' })
  vouchFor(call, first)
}
