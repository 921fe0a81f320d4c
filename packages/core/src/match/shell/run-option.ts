// Options and sub-commands that run code or name a program: no broad allow covers them (`tcpdump -z x`, `pip config set`, `mix eval x`).
import { type Call, notCovered } from './call.ts'
import type { Word } from './shell-analysis.ts'
import { type RunOptions, runOptionRows } from './table/run-option-table.ts'
import { leadingText } from './word.ts'

export function checkRunOptions(call: Call): void {
  const known = runOptionRows().get(call.name)
  if (known !== undefined) checkWords(call, known, call.words.slice(1))
  const first = call.words[1]?.value ?? ''
  const script = first.endsWith('manage.py') || first.endsWith('artisan') ? SCRIPTS.exec(first)?.[1] : undefined
  const inner = script === undefined ? undefined : runOptionRows().get(script)
  if (inner !== undefined) checkWords(call, inner, call.words.slice(2))
}

/** `python manage.py shell`, `php artisan tinker`: a script of the project that is a program of its own. */
const SCRIPTS = /(?:^|\/)(manage\.py|artisan)$/

function checkWords(call: Call, { options, verbs, readsCode }: RunOptions, words: readonly Word[]): void {
  const operands = words.filter(word => !leadingText(word).startsWith('-')).map(word => word.value)
  for (const word of words) {
    const text = leadingText(word)
    const option = options.find(one => isOption(one, text))
    if (option !== undefined) notCovered(call, `${call.name} ${option} can run code or another program`)
  }
  for (const path of verbs) {
    if (path.every((verb, index) => verb === (verb.startsWith('-') ? words[index]?.value : operands[index])))
      notCovered(call, `${call.name} ${path.join(' ')} can run code or another program`)
  }
  if (call.place.stdin.kind === 'inherited') return
  const reads = readsCode.find(verb => words.some(word => word.value === verb))
  if (reads !== undefined) call.unit.traits.push({ kind: 'interpreter-code', option: reads })
}

/** `--pre x`, `--pre=x`, `-z x`, `-zx`, `-Xlua_script:x`. */
function isOption(option: string, text: string): boolean {
  if (!text.startsWith(option)) return false
  if (text.length === option.length || !option.startsWith('-')) return true
  const isShort = option.length === 2 && option !== '--'
  return isShort || /^[=:%/\d]/.test(text.slice(option.length)) || /[=:/\d]$/.test(option)
}
