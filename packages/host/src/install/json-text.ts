// JSON that people keep by hand: comments, trailing commas, tabs, CRLF and a byte order mark are read, so that an edit can leave them alone.
import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'

export type JsonText = { readonly ok: true; readonly root: Node } | { readonly ok: false; readonly at: number; readonly why: string }

/** Numbers of jsonc-parser's `SyntaxKind`, which it exports as a const enum only. */
export const TOKEN = { comma: 5, lineComment: 12, blockComment: 13, newline: 14, blank: 15, end: 17 } as const

/** An empty text counts as an empty object. */
export function parseJsonText(text: string): JsonText {
  const errors: ParseError[] = []
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: false })
  const first = errors[0]
  if (first !== undefined) return { ok: false, at: first.offset, why: printParseErrorCode(first.error) }
  return root === undefined ? { ok: false, at: 0, why: 'ValueExpected' } : { ok: true, root }
}

/** The value of a key; where it is written twice the last one holds, as it does for the agents. */
export function memberOf(object: Node, key: string): Node | undefined {
  const pair = object.children?.findLast(child => child.children?.[0]?.value === key)
  return pair?.children?.[1]
}

export interface JsonStyle {
  readonly eol: string
  /** One step of indentation. */
  readonly step: string
}

export function styleOf(text: string): JsonStyle {
  const step = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  '
  return { eol: text.includes('\r\n') ? '\r\n' : '\n', step: step.startsWith('\t') ? '\t' : step }
}

export interface Token {
  readonly kind: number
  readonly at: number
  readonly end: number
}

export function tokensIn(text: string, from: number, to: number): readonly Token[] {
  const scanner = createScanner(text.slice(from, to))
  const tokens: Token[] = []
  for (let kind: number = scanner.scan(); kind !== TOKEN.end; kind = scanner.scan()) {
    const at = from + scanner.getTokenOffset()
    tokens.push({ kind, at, end: at + scanner.getTokenLength() })
  }
  return tokens
}

/** The white space at the beginning of the line of `at`. */
export function indentAt(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1
  return /^[ \t]*/.exec(text.slice(start, at))?.[0] ?? ''
}

/** Whether nothing but white space stands before `at` on its line. */
export function beginsLine(text: string, at: number): boolean {
  const start = text.lastIndexOf('\n', at - 1) + 1
  return start > 0 && text.slice(start, at).trim() === ''
}
