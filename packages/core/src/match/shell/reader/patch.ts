// Patches: a set of writes in one text. Codex applies `apply_patch` in a command itself; patch, git apply and their like do the same for
// unified diffs. What the text is may be known here, or only in a file that the judge can read.
import { patchTargets } from '../../tool/patch-paths.ts'
import { moveBase } from '../apply-option.ts'
import { type Call, notCovered, touchArgument } from '../call.ts'
import { parseOptions } from '../parse-options.ts'
import type { FileEffect, Word } from '../shell-analysis.ts'
import type { Program } from '../table/program.ts'
import { anyText, leadingText, makeWord, textWord } from '../word.ts'

export function readPatch(call: Call, program: Program, from: number): readonly Word[] {
  if (call.name === 'patch' && call.words.some(word => /^(?:-\w*e|--ed)$/.test(word.value ?? '')))
    notCovered(call, 'patch -e runs an editing script')
  const isOwnForm = program.operands === 'data'
  const parsed = parseOptions(program, call.words, from)
  const operands = parsed.operands.map(index => call.words[index] as Word)
  const given = isOwnForm ? operands.map(printedByCat) : []
  const into = parsed.options.find(({ use, name }) => use === 'directory' || name === '--directory')?.value
  const inside = into ? { ...call, place: moveBase(call.place, into) } : call
  const { stdin } = call.place
  const input = stdin.kind === 'text' || stdin.kind === 'pipe' ? stdin.text : null
  const files = isOwnForm ? [] : patchFiles(call.name, operands, parsed.options.find(({ name }) => name === '-i')?.value ?? null)
  for (const text of [...given, ...(input === null || files.length > 0 ? [] : [input])]) touchPatch(inside, text)
  for (const file of files) call.walk.patches.push({ call: inside, file })
  const isUnknown = stdin.kind === 'file' || (stdin.kind === 'pipe' && stdin.text === null) || given.some(text => text.value === null)
  if (files.length === 0 && (isUnknown || (input !== null && input.value === null))) call.walk.patches.push({ call: inside, file: null })
  return call.words
}

const CAT = /^"?\$\(\s*cat\s*<<-?[ \t]*(['"]?)(\w+)\1[ \t]*\n([\s\S]*?)\n\t*\2\s*\)"?$/

/** `apply_patch "$(cat <<'EOF' ...)"`: the text stands in the command, though the shell hands it over by another way. */
function printedByCat(word: Word): Word {
  const [, quote, , text] = word.value === null ? (CAT.exec(word.source) ?? []) : []
  return text === undefined || (quote === '' && /[$`\\]/.test(text)) ? word : textWord(text, word.source)
}

/** `patch [FILE [PATCH]]` and `-i PATCH`; every operand of git. */
function patchFiles(name: string, operands: readonly Word[], input: Word | null): readonly Word[] {
  const files = name === 'patch' ? [...operands.slice(1, 2), ...(input === null ? [] : [input])] : operands
  return files.filter(file => file.value !== '-')
}

const UNKNOWN = '\uE000'

/** A text with unknown parts is read as far as it is known; a header with an unknown part names a file that nobody knows. */
export function touchPatch(call: Call, text: Word): void {
  const role: FileEffect['role'] = /^apply_?patch$/.test(call.name) ? 'full' : 'deny-only'
  const known = text.value ?? text.parts.map(part => (part.kind === 'unknown' ? UNKNOWN : part.value)).join('')
  for (const path of patchTargets(known)) touchArgument(call, 'write', partlyKnown(path), role)
}

function partlyKnown(path: string): Word {
  if (!path.includes(UNKNOWN)) return textWord(path)
  const parts = path
    .split(UNKNOWN)
    .flatMap((value, index) => [...(index > 0 ? [anyText] : []), ...(value === '' ? [] : [{ kind: 'text', value } as const])])
  return makeWord(parts, path.replaceAll(UNKNOWN, '$'))
}

const PATCH = /^(?:\+\+\+ |\*\*\* (?:Add|Update|Delete) File:|\*\*\* Move to:|diff --git |rename to )/m

export function looksLikePatch(word: Word): boolean {
  const text = word.value ?? leadingText(word)
  return text.length > 8 && PATCH.test(text)
}
