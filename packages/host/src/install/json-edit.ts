// Inserts into and removes from an object or array in JSON text; every byte outside the change stays. Taking out what was put in gives
// the text back, but for blanks before a closing bracket.
import type { Node } from 'jsonc-parser'
import { beginsLine, indentAt, type JsonStyle, styleOf, TOKEN, tokensIn } from './json-text.ts'

export interface Insertion {
  /** The object or array. */
  readonly into: Node
  readonly value: unknown
  /** For an object: the key of the new member. */
  readonly key?: string
}

/** As the first item of an array: agents that stop at the first answer must meet ours first. */
export function insertFirst(text: string, { into, value }: Insertion): string {
  const first = into.children?.[0]
  if (first === undefined) return fillEmpty(text, { into, value })
  if (!beginsLine(text, first.offset)) return splice(text, first.offset, first.offset, `${JSON.stringify(value)}, `)
  const style = styleOf(text)
  const indent = indentAt(text, first.offset)
  return splice(text, into.offset + 1, into.offset + 1, `${style.eol}${indent}${render(value, indent, style)},`)
}

/** As the last member of an object. */
export function insertLast(text: string, { into, value, key }: Insertion): string {
  const last = into.children?.at(-1)
  if (last === undefined) return fillEmpty(text, { into, value, ...(key === undefined ? {} : { key }) })
  const style = styleOf(text)
  const end = last.offset + last.length
  const close = into.offset + into.length - 1
  const tokens = tokensIn(text, end, close).filter(({ kind }) => kind !== TOKEN.newline && kind !== TOKEN.blank)
  const isTrailed = tokens.some(({ kind }) => kind === TOKEN.comma)
  const comma = isTrailed ? '' : ','
  // Where the last member has a comma, ours has one too: it then goes with ours.
  const own = isTrailed ? ',' : ''
  const isLined = text.slice(into.offset, close).includes('\n')
  const at = tokens.at(-1)?.end ?? end
  if (!isLined) return splice(text, at, at, `${comma} ${member(key, JSON.stringify(value))}${own}`)
  const indent = beginsLine(text, last.offset) ? indentAt(text, last.offset) : indentAt(text, into.offset) + style.step
  const lines = `${style.eol}${indent}${member(key, render(value, indent, style))}${own}`
  const added = splice(text, at, at, at === end ? `${comma}${lines}` : lines)
  return at === end || comma === '' ? added : splice(added, end, end, comma)
}

function fillEmpty(text: string, { into, value, key }: Insertion): string {
  const style = styleOf(text)
  const outer = indentAt(text, into.offset)
  const indent = outer + style.step
  const close = into.offset + into.length - 1
  const tokens = tokensIn(text, into.offset + 1, close)
  const at = tokens.findLast(({ kind }) => kind === TOKEN.lineComment || kind === TOKEN.blockComment)?.end ?? into.offset + 1
  if (isOneLine(text)) return splice(text, at, close, `${at === into.offset + 1 ? '' : ' '}${member(key, JSON.stringify(value))}`)
  const content = `${style.eol}${indent}${member(key, render(value, indent, style))}`
  const rest = text.slice(at, close)
  return splice(text, at, rest.includes('\n') ? at : close, rest.includes('\n') ? content : `${content}${style.eol}${outer}`)
}

/** A file that somebody keeps on one line; an empty object has no form yet. */
function isOneLine(text: string): boolean {
  const body = text.trim()
  return !body.includes('\n') && body.replaceAll(/\s/g, '') !== '{}'
}

/** A member of an object or an item of an array, with the comma that belongs to it. */
export function removeChild(text: string, parent: Node, index: number): string {
  const child = parent.children?.[index]
  if (child === undefined) return text
  const end = child.offset + child.length
  const next = parent.children?.[index + 1]
  const limit = next?.offset ?? parent.offset + parent.length - 1
  const comma = tokensIn(text, end, limit).find(({ kind }) => kind === TOKEN.comma)
  const start = startOfChild(text, child)
  if (comma !== undefined) {
    const isInline = next !== undefined && !beginsLine(text, child.offset) && text.slice(comma.end, next.offset).trim() === ''
    return isInline ? splice(text, child.offset, next.offset, '') : splice(text, start, comma.end, '')
  }
  const previous = parent.children?.[index - 1]
  if (previous === undefined) return collapse(splice(text, start, end, ''), parent.offset)
  const before = tokensIn(text, previous.offset + previous.length, child.offset).find(({ kind }) => kind === TOKEN.comma)
  const removed = splice(text, start, end, '')
  return before === undefined || before.at >= start ? removed : splice(removed, before.at, before.end, '')
}

/** From the end of the line before, when the child begins its own; else from the comma and blanks before it. */
function startOfChild(text: string, child: Node): number {
  if (!beginsLine(text, child.offset)) return child.offset - (/[ \t]*$/.exec(text.slice(0, child.offset))?.[0].length ?? 0)
  const lineBreak = text.lastIndexOf('\n', child.offset - 1)
  return text[lineBreak - 1] === '\r' ? lineBreak - 1 : lineBreak
}

/** Brackets with nothing but blanks left between them are closed. */
function collapse(text: string, open: number): string {
  const blanks = /^[{[](\s*)[}\]]/.exec(text.slice(open))?.[1]
  return blanks === undefined ? text : splice(text, open + 1, open + 1 + blanks.length, '')
}

function member(key: string | undefined, value: string): string {
  return key === undefined ? value : `${JSON.stringify(key)}: ${value}`
}

function render(value: unknown, indent: string, { eol, step }: JsonStyle): string {
  return JSON.stringify(value, null, step).replaceAll('\n', `${eol}${indent}`)
}

function splice(text: string, from: number, to: number, addition: string): string {
  return text.slice(0, from) + addition + text.slice(to)
}
