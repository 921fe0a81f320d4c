// Text of agents as a person may safely read it: what would hide, colour or reorder other text is shown as a visible escape.

/** Line ends and tabs stay; everything else that is not drawn, or steers how the rest is drawn, does not. */
const STEERING = /[^\P{C}\n\t]|[\u2028\u2029\u115f\u1160\u3164\uffa0]/gu

/** Cut to `max` characters, with `...` for the rest. */
export function plainText(text: string, max = Number.POSITIVE_INFINITY): string {
  const short = text.length > max ? `${text.slice(0, max)}…` : text
  return short.replace(STEERING, showEscaped)
}

/** On one line. */
export function plainLine(text: string, max = 400): string {
  return (
    plainText(text.length > max ? text.slice(0, max) : text)
      .replace(/\s*\n\s*/g, ' ⏎ ')
      .replace(/\t/g, ' ') + (text.length > max ? '…' : '')
  )
}

/** Everybody knows which project it is: a path stands without the way to it. A command stays as it is. */
export function withoutProject(path: string, project: string | null): string {
  return project !== null && path.startsWith(`${project}/`) ? path.slice(project.length + 1) : path
}

/** The same for all paths in a sentence of ours. */
export function inProject(text: string, project: string | null): string {
  return project === null || project === '/' ? text : text.replaceAll(`${project}/`, '')
}

/** A sentence of ours beside which its rule stands: `... by the rule X (place)` and `... (rule X, place)` without it. */
export function withoutRule(text: string, rule: string | null): string {
  for (const begin of [` by the rule ${rule} (`, ` (rule ${rule}, `]) {
    const at = text.indexOf(begin)
    const end = at < 0 ? -1 : text.indexOf(')', at + begin.length)
    if (end >= 0) return text.slice(0, at) + text.slice(end + 1)
  }
  return text
}

function showEscaped(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`
  return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\u{${code.toString(16)}}`
}
