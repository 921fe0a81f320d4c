// From what was seen to a rule that is no wider: which words of a command may vary, which folders of files.
import { relative } from 'node:path'
import type { ToolCall } from '@belay/core/policy'
import { plainName, runsAnything, wordsOfVerb } from '../runner.ts'

/** Programs whose second word says what they do. */
const WITH_VERBS = new Set(
  'git npm pnpm yarn bun cargo go docker kubectl gh glab pip pip3 poetry uv brew apt apt-get dotnet gradle mvn terraform aws gcloud az helm systemctl bundle gem composer make just rake npx deno flutter'.split(
    ' ',
  ),
)

export interface Shape {
  /** What the calls of one rule have in common. */
  readonly key: string
  /** With `*`, where enough different calls were seen; null: only exact rules will do. */
  readonly wide: string | null
  readonly exact: string
  /** Narrower than `wide`: with one more word. */
  readonly narrow?: string
}

/** Of one simple command, as the judge reads it. */
export function commandShape(normal: string): Shape | null {
  if (/[\n"'`$\\|&;<>(){}*?[\]]/.test(normal)) return null
  const [program = '', second] = normal.split(' ')
  const exact = `Bash(${normal})`
  const name = plainName(program)
  const own = wordsOfVerb(normal.split(' '))
  if (own !== null) return carriedShape(normal.split(' '), own)
  if ((runsAnything(name) && !WITH_VERBS.has(name)) || program === '.') {
    // Code is another one each time, and nobody can read it.
    if (/ -\w*[ce]\b| --(?:eval|command|print)\b/.test(normal)) return null
    const isScript = second !== undefined && /^[\w./-]+\.(?:py|js|mjs|cjs|ts|rb|pl|php|sh)$/.test(second)
    return { key: isScript ? `${program} ${second}` : normal, wide: isScript ? `Bash(${program} ${second} *)` : null, exact }
  }
  if (!WITH_VERBS.has(name) && !WITH_VERBS.has(program)) return { key: program, wide: `Bash(${program} *)`, exact }
  // Without a word that says what it does, the program as a whole is not allowed.
  if (second === undefined || second.startsWith('-')) return { key: normal, wide: null, exact }
  const third = normal.split(' ')[2]
  const isScript = second === 'run' || second === 'exec'
  // What it runs is not said by its first word.
  if (isScript && (third === undefined || third.startsWith('-'))) return { key: normal, wide: null, exact }
  const head = isScript ? `${program} ${second} ${third}` : `${program} ${second}`
  const next = normal.slice(head.length + 1).split(' ')[0] ?? ''
  return { key: head, wide: `Bash(${head} *)`, exact, ...(next === '' ? {} : { narrow: `Bash(${head} ${next} *)` }) }
}

/** What a verb of another program runs (`npx eslint src`): as wide as what is run, and no wider. */
function carriedShape(words: readonly string[], own: number): Shape | null {
  const exact = `Bash(${words.join(' ')})`
  const inner = words.slice(own)
  // Nobody knows which words an option takes.
  const isPlain = inner.length > 0 && !words.slice(1, own + 1).some(word => word.startsWith('-'))
  if (!isPlain) return { key: words.join(' '), wide: null, exact }
  const shape = commandShape(inner.join(' '))
  if (shape === null) return null
  const head = words.slice(0, own).join(' ')
  const before = (rule: string): string => rule.replace('Bash(', `Bash(${head} `)
  return {
    key: `${head} ${shape.key}`,
    wide: shape.wide === null ? null : before(shape.wide),
    exact,
    ...(shape.narrow === undefined ? {} : { narrow: before(shape.narrow) }),
  }
}

export function fileShape(tool: string, path: string, root: string): Shape {
  const inside = relative(root, path)
  const isInside = !inside.startsWith('..') && inside !== ''
  const name = isInside ? inside : `/${path}`
  const folder = isInside && inside.includes('/') ? inside.slice(0, inside.indexOf('/')) : null
  const isPlain = !/[*?[\]{}()!]/.test(name)
  return {
    key: folder === null ? `${tool} ${name}` : `${tool} ${folder}`,
    wide: folder === null || !isPlain ? null : `${tool}(${folder}/**)`,
    exact: isInside ? `${tool}(./${name})` : `${tool}(${name})`,
  }
}

/** Of a call that is neither a command nor about a file. */
export function otherShape({ tool, input }: ToolCall): Shape {
  const host = typeof input.url === 'string' ? hostOf(input.url) : null
  if (host !== null) return { key: `${tool} ${host}`, wide: `${tool}(domain:${host})`, exact: `${tool}(domain:${host})` }
  return { key: tool, wide: tool, exact: tool }
}

function hostOf(url: string): string | null {
  try {
    return new URL(url).hostname
  } catch {
    return null
  }
}
