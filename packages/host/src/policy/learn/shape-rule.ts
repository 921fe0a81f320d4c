// From what was seen to a rule that is no wider: which words of a command may vary, which folders of files.
import { relative } from 'node:path'
import type { ToolCall } from '@belay/core/policy'
import { plainName, runsAnything, wordsOfVerb } from '../runner.ts'
import { type NormalWord, patternOfWord, wordsOfNormal } from './normal-words.ts'

/** Programs whose second word says what they do. */
const WITH_VERBS = new Set(
  'git npm pnpm yarn bun cargo go docker kubectl gh glab pip pip3 poetry uv brew apt apt-get dotnet gradle mvn terraform aws gcloud az helm systemctl bundle gem composer make just rake npx deno flutter'.split(
    ' ',
  ),
)

export interface Shape {
  /** What the calls of one rule have in common. */
  readonly key: string
  /** Tells the calls of one key apart. */
  readonly form: string
  /** With `*`, where enough different calls were seen; null: only exact rules will do. */
  readonly wide: string | null
  /** Allows this and nothing else; null: no rule can say it. */
  readonly exact: string | null
  /** Narrower than `wide`: with one more word. */
  readonly narrow?: string
}

/** Of one simple command, as the judge reads it; null: nothing of it may be allowed without allowing more. */
export function commandShape(normal: string): Shape | null {
  const shape = shapeOf(wordsOfNormal(normal))
  return shape === null || (shape.wide === null && shape.exact === null) ? null : { ...shape, form: normal }
}

/** A rule begins with words that mean themselves: the others may only stand where its star does. */
function shapeOf(words: readonly NormalWord[]): Omit<Shape, 'form'> | null {
  const open = words.findIndex(({ isPlain }) => !isPlain)
  const head = (open === -1 ? words : words.slice(0, open)).map(({ value }) => value ?? '')
  const [program, second, third] = head
  if (program === undefined) return null
  const exact = exactRule(words)
  const asItIs = { key: words.map(({ value }) => JSON.stringify(value)).join(' '), wide: null, exact }
  const name = plainName(program)
  const own = wordsOfVerb(head)
  if (own !== null) return carriedShape(words, head, own)
  if ((runsAnything(name) && !WITH_VERBS.has(name)) || program === '.') {
    // Code is another one each time, and nobody can read it.
    if (words.some(({ value }) => value === null || /^-\w*[ce]$|^--(?:eval|command|print)(?:=|$)/.test(value))) return null
    const isScript = second !== undefined && /^[\w./-]+\.(?:py|js|mjs|cjs|ts|rb|pl|php|sh)$/.test(second)
    if (isScript) return { ...asItIs, key: `${program} ${second}`, wide: `Bash(${program} ${second} *)` }
    return open === -1 ? asItIs : null
  }
  if (!WITH_VERBS.has(name) && !WITH_VERBS.has(program)) return { ...asItIs, key: program, wide: `Bash(${program} *)` }
  // Without a word that says what it does, the program as a whole is not allowed.
  if (second === undefined || second.startsWith('-')) return asItIs
  const isScript = second === 'run' || second === 'exec'
  // What it runs is not said by its first word.
  if (isScript && (third === undefined || third.startsWith('-'))) return asItIs
  const named = isScript ? [program, second, third] : [program, second]
  const key = named.join(' ')
  const next = head[named.length]
  return { ...asItIs, key, wide: `Bash(${key} *)`, ...(next === undefined ? {} : { narrow: `Bash(${key} ${next} *)` }) }
}

function exactRule(words: readonly NormalWord[]): string | null {
  const patterns = words.map(patternOfWord)
  return patterns.includes(null) ? null : `Bash(${patterns.join(' ')})`
}

/** What a verb of another program runs (`npx eslint src`): as wide as what is run, and no wider. */
function carriedShape(words: readonly NormalWord[], head: readonly string[], own: number): Omit<Shape, 'form'> | null {
  // Nobody knows which words an option takes.
  const isPlain = words.length > own && head.length >= own && !head.slice(1, own + 1).some(word => word.startsWith('-'))
  if (!isPlain) return head.length === words.length ? { key: head.join(' '), wide: null, exact: exactRule(words) } : null
  const shape = shapeOf(words.slice(own))
  if (shape === null) return null
  const verb = head.slice(0, own).join(' ')
  const before = (rule: string): string => rule.replace('Bash(', () => `Bash(${verb} `)
  return {
    key: `${verb} ${shape.key}`,
    wide: shape.wide === null ? null : before(shape.wide),
    exact: exactRule(words),
    ...(shape.narrow === undefined ? {} : { narrow: before(shape.narrow) }),
  }
}

export function fileShape(tool: string, path: string, root: string): Shape {
  const inside = relative(root, path)
  const isInside = !inside.startsWith('..') && inside !== ''
  const name = isInside ? inside : `/${path}`
  const folder = isInside && inside.includes('/') ? inside.slice(0, inside.indexOf('/')) : null
  const isPlain = !/[*?[\]{}()!]/.test(name)
  const exact = isInside ? `${tool}(./${name})` : `${tool}(${name})`
  return {
    key: folder === null ? `${tool} ${name}` : `${tool} ${folder}`,
    form: exact,
    wide: folder === null || !isPlain ? null : `${tool}(${folder}/**)`,
    exact,
  }
}

/** Of a call that is neither a command nor about a file. */
export function otherShape({ tool, input }: ToolCall): Shape {
  const host = typeof input.url === 'string' ? hostOf(input.url) : null
  const rule = host === null ? tool : `${tool}(domain:${host})`
  return { key: rule, form: rule, wide: rule, exact: rule }
}

function hostOf(url: string): string | null {
  try {
    return new URL(url).hostname
  } catch {
    return null
  }
}
