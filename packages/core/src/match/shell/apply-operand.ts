// What the operands of a program are: files it reads, writes or copies, and scripts it runs.
import { insideDirectory, isMakingArchive, isStream } from './argument-file.ts'
import { type Call, touchArgument } from './call.ts'
import type { ParsedArguments } from './parse-options.ts'
import type { Word } from './shell-analysis.ts'
import type { Program } from './table/program.ts'
import { dropText, leadingText, textWord } from './word.ts'

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
    case 'rewrite':
      for (const word of operands) {
        touchArgument(call, 'read', word, 'deny-only')
        touchArgument(call, 'write', word, 'deny-only')
      }
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
