// Two texts of one file as a unified diff of one hunk: from the first line that differs to the last. Longer than it need be where a text changed
// in several places, and right for `patch` all the same.
import type { CompareTexts } from './describe-change.ts'

const CONTEXT = 3

export const compareTexts: CompareTexts = (names, before, after) => {
  const [old, made] = [linesOf(before), linesOf(after)]
  const most = Math.min(old.length, made.length)
  let start = 0
  while (start < most && old[start] === made[start]) start += 1
  let end = 0
  while (end < most - start && old[old.length - 1 - end] === made[made.length - 1 - end]) end += 1
  const from = Math.max(0, start - CONTEXT)
  const until = Math.min(end, CONTEXT)
  const hunk = [
    ...old.slice(from, start).map(line => ` ${line}`),
    ...old.slice(start, old.length - end).map(line => `-${line}`),
    ...made.slice(start, made.length - end).map(line => `+${line}`),
    ...old.slice(old.length - end, old.length - end + until).map(line => ` ${line}`),
  ]
  const rangeOf = (lines: readonly string[]) => {
    const count = lines.length - end + until - from
    return `${count === 0 ? from : from + 1},${count}`
  }
  const head = `--- ${names.old}\n+++ ${names.new}\n@@ -${rangeOf(old)} +${rangeOf(made)} @@\n`
  return head + hunk.map(withEnd).join('')
}

const NO_END = '\\ No newline at end of file\n'

/** Each with its line end; the last may have none. */
function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(/(?<=\n)/)
}

function withEnd(line: string): string {
  return line.endsWith('\n') ? line : `${line}\n${NO_END}`
}
