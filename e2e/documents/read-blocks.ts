// The examples of the five documents that Belay is built from, word for word: every fenced block with its line and section there.
import { readFileSync } from 'node:fs'

export const DOCUMENTS = ['genesis', 'architecture', 'daemon', 'guardrails', 'library'] as const
export type DocumentName = (typeof DOCUMENTS)[number]

export interface Block {
  /** Where it begins in the document. */
  readonly line: number
  readonly section: string
  /** Empty: a diagram or a tree of files. */
  readonly language: string
  readonly text: string
}

/** `fixtures/<document>.md` holds nothing but blocks; the heading above each says where it stands in the document. */
export function readBlocks(document: DocumentName): readonly Block[] {
  const text = readFileSync(new URL(`fixtures/${document}.md`, import.meta.url), 'utf8')
  return extractBlocks(text).map(({ section, ...block }) => {
    const [line = '', ...rest] = section.split(': ')
    return { ...block, line: Number(line), section: rest.join(': ') }
  })
}

export function readBlock(document: DocumentName, line: number): string {
  const found = readBlocks(document).find(block => block.line === line)
  if (found === undefined) throw new Error(`${document} has no block in line ${line}`)
  return found.text
}

/** A document may stand in a fence of its own (`markdown`), which is none of its examples. A closing fence too many follows a text at once. */
export function extractBlocks(markdown: string): readonly Block[] {
  const lines = markdown.split('\n')
  const blocks: Block[] = []
  let section = ''
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    section = /^#+ (.*)$/.exec(line)?.[1] ?? section
    const language = /^```(\w*)$/.exec(line)?.[1]
    if (language === undefined || language === 'markdown' || (language === '' && lines[at - 1] !== '')) continue
    const end = lines.indexOf('```', at + 1)
    blocks.push({ line: at + 1, section, language, text: `${lines.slice(at + 1, end).join('\n')}\n` })
    at = end
  }
  return blocks
}
