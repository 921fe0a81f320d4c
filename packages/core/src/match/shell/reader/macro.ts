// Small languages in which only some signs run a command: rpm's macros, dc, formats of tmux.
import type { Call } from '../call.ts'
import { notCovered } from '../call.ts'
import { runCode } from '../nested-code.ts'
import type { Word } from '../shell-analysis.ts'
import { leadingText, textWord } from '../word.ts'

/** `%(ls)` and `%{lua:...}` of rpm, `!ls` of dc. */
export function runsMacro({ value }: Word): boolean {
  return value === null || /%\(|(?:^|[^!<>=])![^<>=]/.test(value) || value.split('}').some(opensMacro)
}

function opensMacro(text: string): boolean {
  const open = text.indexOf('%{')
  return open >= 0 && /lua|expand|load|uncompress|S:|P:/.test(text.slice(open + 2))
}

/** A program of this kind on standard input. */
export function readMacroInput(call: Call): readonly Word[] {
  const { stdin } = call.place
  const text = stdin.kind === 'text' || stdin.kind === 'pipe' ? stdin.text : null
  if (stdin.kind !== 'inherited' && (text === null || runsMacro(text))) call.unit.traits.push({ kind: 'interpreter-code', option: '-' })
  for (const line of text?.value?.split('\n') ?? []) {
    const command = /^\s*!(?![<>=])(.*)$/s.exec(line)?.[1]
    if (command !== undefined) runText(call, command)
  }
  return call.words
}

/** `#(command)` in any argument of tmux runs in a shell. */
export function readTmuxFormats(call: Call): readonly Word[] {
  for (const word of call.words.slice(1)) {
    const text = leadingText(word)
    for (const [, command = ''] of text.matchAll(/#\(([^)]*)\)?/g)) {
      notCovered(call, 'tmux runs the command in #( )')
      runText(call, command)
    }
  }
  return call.words
}

function runText(call: Call, command: string): void {
  const place = { ...call.place, behind: [...call.place.behind, call.name] }
  runCode(call.walk, { code: textWord(command), span: call.unit.span, by: call.name }, place)
}
