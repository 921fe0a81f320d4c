// Files that a prompt, a skill or a command names with an @: agents put their text in its place themselves, and no hook hears of a Read. What may be meant is
// given in every reading, so that a deny rule holds for each of them; a name that is no file harms nobody.
import type { ToolCall } from './judgement.ts'

/** At the beginning of a word; in quotes with blanks. A mail address is none. */
const MENTION = /(?:^|[\s([{<,;:"'`])@(?:"([^"\n]+)"|'([^'\n]+)'|((?:\\.|[^\s"'`\\])+))/g

const MAX_MENTIONS = 10_000

export function mentionedFiles(prompt: unknown): readonly ToolCall[] {
  if (typeof prompt !== 'string' || !prompt.includes('@')) return []
  const names = new Set<string>()
  for (const [, double, single, bare] of prompt.matchAll(MENTION)) {
    for (const name of readings(double ?? single ?? (bare ?? '').replace(/\\(.)/g, '$1'))) names.add(name)
    if (names.size >= MAX_MENTIONS) break
  }
  return [...names].map(name => ({ tool: 'Read', input: { file_path: name } }))
}

/** With what stands behind it taken for part of the name, for a range of lines, and for the end of a sentence. */
function readings(name: string): readonly string[] {
  const whole = name.replace(/^file:(?:\/\/)?/, '')
  const found = [whole, whole.replace(/#.*$/, ''), whole.replace(/:\d[\d:-]*$/, ''), whole.replace(/[.,;:!?)\]}>]+$/, '')]
  return found.filter(each => each !== '')
}
