// Bytes or text of any configuration file -> one tree. Decides the format by the file's name where that says it, else by how the text begins.

import type { ConfigNode, TextProblem } from './config-node.ts'
import { parseJson } from './parse-json.ts'
import { parseToml } from './parse-toml.ts'
import { parseYaml } from './parse-yaml.ts'

export type ConfigFormat = 'json' | 'yaml' | 'toml' | 'frontmatter'

export interface ParsedText {
  readonly format: ConfigFormat
  readonly parse: 'strict' | 'tolerant' | 'invalid'
  readonly root: ConfigNode | null
  /** Where the first comment or trailing comma of a JSON file stands. */
  readonly looseAt: number | null
  readonly problems: readonly TextProblem[]
  /** What offsets count in: the given text without a byte order mark. */
  readonly text: string
}

export function parseText(given: string | Uint8Array, path?: string, known?: ConfigFormat): ParsedText {
  const text = dropMark(typeof given === 'string' ? given : decodeText(given))
  const format = known ?? formatOfPath(path) ?? sniffFormat(text)
  switch (format) {
    case 'json':
      return { format, text, ...parseJson(text) }
    case 'toml':
      return fromTree(format, text, parseToml(text))
    case 'yaml':
      return fromTree(format, text, parseYaml(text, 0))
    case 'frontmatter':
      return parseFrontmatter(text)
  }
}

/** UTF-8, or UTF-16 by its mark or by the zero bytes that ASCII text leaves in it. */
function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return new TextDecoder('utf-16le').decode(bytes)
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return new TextDecoder('utf-16be').decode(bytes)
  return new TextDecoder('utf-8').decode(bytes)
}

function dropMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text
}

const EXTENSIONS: readonly (readonly [RegExp, ConfigFormat])[] = [
  [/\.(json|jsonc|json5|code-workspace)$/i, 'json'],
  [/\.toml$/i, 'toml'],
  [/\.(ya?ml|key)$/i, 'yaml'],
  [/\.(md|mdc|markdown)$/i, 'frontmatter'],
]

function formatOfPath(path: string | undefined): ConfigFormat | null {
  return EXTENSIONS.find(([pattern]) => path !== undefined && pattern.test(path))?.[1] ?? null
}

function sniffFormat(text: string): ConfigFormat {
  if (/^\s*(\{|\/\/|\/\*|$)/.test(text)) return 'json'
  if (/^---\s*$/m.test(text.slice(0, 8)) && /^---\s*$/m.test(text.slice(4))) return 'frontmatter'
  if (/^\s*\[/.test(text)) return /^\s*\[\[?\s*[A-Za-z_"'][\w."' -]*\]/.test(text) && !/^\s*\[\s*["']/.test(text) ? 'toml' : 'json'
  return /^\s*[\w.-]+\s*=/m.test(text) && !/^[\w.-]+\s*:/m.test(text) ? 'toml' : 'yaml'
}

function parseFrontmatter(text: string): ParsedText {
  const block = /^\s*---[ \t]*\r?\n([\s\S]*?)(?:\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)|$)/.exec(text)
  if (block === null) return { format: 'frontmatter', parse: 'strict', root: null, looseAt: null, problems: [], text }
  const body = block[1] ?? ''
  return fromTree('frontmatter', text, parseYaml(body, block[0].indexOf(body, block[0].indexOf('---') + 3)))
}

interface Tree {
  readonly root: ConfigNode | null
  readonly problems: readonly TextProblem[]
}

function fromTree(format: ConfigFormat, text: string, { root, problems }: Tree): ParsedText {
  return { format, parse: root === null ? 'invalid' : 'strict', root, looseAt: null, problems, text }
}
