// `docker build -`: the file of instructions on standard input, whose commands run in the build.
import { type Call, listedWords, runInner, vouchFor } from '../call.ts'
import { opaqueCode, runCode } from '../nested-code.ts'
import type { Word } from '../shell-analysis.ts'
import { leadingText, textWord } from '../word.ts'

/** What runs, in the build or later from the image. */
const INSTRUCTION = /^\s*(?:ONBUILD\s+)?(?:RUN|CMD|ENTRYPOINT|HEALTHCHECK(?:\s+--\S+)*\s+CMD)\s+(?:--\S+\s+)*(.*)$/i

export function readBuildFile(call: Call, _program: unknown, from: number): readonly Word[] {
  const { stdin } = call.place
  if (stdin.kind === 'inherited' || !call.words.slice(from).some(isInput)) return call.words
  const first = call.walk.units.length
  const text = stdin.kind === 'file' ? null : stdin.text
  if (text === null || text.value === null) {
    // A file that is named is judged as what is read.
    if (stdin.kind !== 'file') opaqueCode(call.walk, call.name, 'a pipe', { span: call.unit.span, place: call.place })
    return call.words
  }
  for (const code of instructions(text.value)) runInstruction(call, textWord(code, text.source))
  vouchFor(call, first)
  return call.words
}

/** `-`, `-f -`, `-f-`, `--file=-`. */
function isInput(word: Word): boolean {
  return /^(?:-|-f-|--file=-)$/.test(leadingText(word))
}

/** A line that ends in a backslash goes on; `RUN <<E` goes on up to `E`. */
function instructions(text: string): readonly string[] {
  const found: string[] = []
  const lines = text.replace(/\\\r?\n/g, ' ').split('\n')
  for (let at = 0; at < lines.length; at++) {
    const given = INSTRUCTION.exec(lines[at] ?? '')?.[1]
    if (given === undefined) continue
    const end = /<<-?["']?(\w+)/.exec(given)?.[1]
    const from = at
    if (end !== undefined) while (at + 1 < lines.length && lines[at]?.trim() !== end) at++
    // Lines alone are code for a shell; behind a program they are its input.
    found.push(
      from === at ? given : /^<</.test(given) ? lines.slice(from + 1, at).join('\n') : [given, ...lines.slice(from + 1, at + 1)].join('\n'),
    )
  }
  return found
}

function runInstruction(call: Call, code: Word): void {
  const words = listedWords(code)
  if (words !== null) runInner(call, { words, behind: call.name, role: 'deny-only' })
  else
    runCode(
      call.walk,
      { code, span: call.unit.span, by: call.name },
      { ...call.place, stdin: { kind: 'inherited' }, role: 'deny-only', behind: [...call.place.behind, call.name] },
    )
}
