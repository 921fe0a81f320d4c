// Editors that take commands as arguments or on standard input (vim, ex, ed): `w file`, `r file`, `!command`.
import { type Call, touchArgument } from '../call.ts'
import { runCode } from '../nested-code.ts'
import type { Word } from '../shell-analysis.ts'
import { leadingText, textWord } from '../word.ts'

/** A line range, then the command: `1,$w x`, `%!sort`, `:w! x`. */
const RANGE = /^[:\s]*(?:[\d.$%,;+\-\s]|'[a-z<>]|\/(?:[^/\\]|\\.)*\/|\?(?:[^?\\]|\\.)*\?)*/
const WRITES = /^(?:w(?:rite)?|wq|wn|up(?:date)?|x(?:it)?|sav(?:eas)?|W)!?\s*(?:>>\s*)?(\S.*)$/s
const READS =
  /^(?:r(?:ead)?|e(?:d(?:it)?)?|E|so(?:urce)?|tabe(?:dit)?|sp(?:lit)?|vs(?:plit)?|vi(?:ew)?|sview|f|badd|arga(?:dd)?)!?\s+(\S.*)$/s

/** Effects on top of the code that it is. */
export function readEditorCommands(call: Call, commands: Word): void {
  const text = commands.value ?? leadingText(commands)
  for (const line of text.split(/[\n|]/)) {
    const command = line.trim().replace(RANGE, '')
    const shell = /^(?:(?:w(?:rite)?|r(?:ead)?|e|make)?\s*!|silent!?\s*!|terminal\s|term\s)(.*)$/s.exec(command)?.[1]
    if (shell !== undefined) runShellLine(call, shell)
    const written = WRITES.exec(command)?.[1]
    if (written !== undefined && !written.startsWith('!')) touchArgument(call, 'write', textWord(written.trim()), 'full')
    const read = READS.exec(command)?.[1]
    if (read !== undefined && !read.startsWith('!')) touchArgument(call, 'read', textWord(read.trim()), 'deny-only')
  }
}

function runShellLine(call: Call, line: string): void {
  const place = { ...call.place, behind: [...call.place.behind, call.name] }
  runCode(call.walk, { code: textWord(line), span: call.unit.span, by: call.name }, place)
}

/** `+command` before a file, and commands on standard input (`ed`, `vim -es`). */
export function readEditor(call: Call): readonly Word[] {
  const { stdin } = call.place
  const isScripted = /^(?:ed|red|ex)$/.test(call.name) || call.words.some(word => /^-\w*[eEs]/.test(word.value ?? ''))
  if (isScripted && (stdin.kind === 'text' || stdin.kind === 'pipe') && stdin.text !== null) readEditorCommands(call, stdin.text)
  for (const word of call.words.slice(1)) {
    const text = leadingText(word)
    if (!text.startsWith('+')) continue
    if (!/^\++(?:\d*|[gGF]|\/.*)$/.test(text) || word.value === null) {
      call.unit.traits.push({ kind: 'interpreter-code', option: '+' })
      readEditorCommands(call, textWord(text.slice(1)))
    }
  }
  return call.words.filter(word => !leadingText(word).startsWith('+'))
}
