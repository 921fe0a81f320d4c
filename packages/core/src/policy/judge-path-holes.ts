// A file whose name is only partly known (`cat "$f"`, `rm .e*`): which rules may hold for it.
// A pathname glob stays inside its segment and never yields a leading dot; an expansion may become any text at all.
import { ANY_ONE, ANY_RUN, type Glob, globMatches, globMayMatch, globOf, type HoledText } from '../match/glob.ts'
import { below } from '../match/path/path-anchors.ts'
import { collapse } from '../match/path/resolve-path.ts'
import type { Word } from '../match/shell/shell-analysis.ts'
import { type EffectIndex, rulesFor } from './compile-rules.ts'
import type { Bench } from './judge-part.ts'
import type { PathRule } from './path-index.ts'
import type { Rule } from './rule.ts'

/** The first rule that may hold for some file the word could name. */
export function mayMatchPath(bench: Bench, index: EffectIndex, tool: string, file: { word: Word; base: string | null }): Rule | null {
  const text = absoluteText(file.word, file.base)
  for (const rules of rulesFor(index, tool)) {
    if (rules.any !== null) return rules.any
    const found = rules.paths?.all.find(rule => mayHold(bench, rule, text))
    if (found !== undefined) return found.rule
  }
  return null
}

/** Text that stands for every file a glob could name, which only a `*` of a rule covers. */
export function fillGlobs(word: Word): string {
  return word.parts.map(part => (part.kind === 'glob' ? GLOB_FILL : part.kind === 'text' ? part.value : '')).join('')
}

const GLOB_FILL = '\u2047glob\u2047'

interface PathText {
  /** Absolute, with the holes between the chunks; an unknown directory is a hole at the start. */
  readonly chunks: readonly string[]
  /** Every hole is a pathname glob. */
  readonly onlyGlobs: boolean
}

function absoluteText(word: Word, base: string | null): PathText {
  const chunks = ['']
  let onlyGlobs = true
  for (const part of word.parts) {
    if (part.kind === 'text') chunks[chunks.length - 1] += part.value
    else {
      if (part.kind === 'hole') onlyGlobs = false
      chunks.push('')
    }
  }
  const head = chunks[0] ?? ''
  const startsWithHole = chunks.length > 1 && head === '' && word.parts[0]?.kind === 'hole'
  if (head.startsWith('/')) chunks[0] = collapseHead(head)
  else if (startsWithHole || base === null) return { chunks: ['', ...chunks.slice(head === '' ? 1 : 0)], onlyGlobs: false }
  else chunks[0] = collapseHead(`${base}/${head}`)
  return { chunks, onlyGlobs }
}

/** Collapses the directories that are complete; the last segment may go on in the hole. */
function collapseHead(head: string): string {
  const slash = head.lastIndexOf('/')
  const directory = collapse(head.slice(0, slash) || '/')
  return `${directory === '/' ? '' : directory}${head.slice(slash)}`
}

function mayHold(bench: Bench, rule: PathRule, text: PathText): boolean {
  const { anchor } = rule.spec
  const pattern = rule.spec.pattern.replace(/^\/+/, '')
  if (anchor === 'name') return mayHoldName(rule, text)
  if (!text.onlyGlobs) return true
  const anchors = bench.places.anchors
  const bases = anchor === 'absolute' ? ['/'] : anchor === 'home' ? [anchors.home, anchors.realHome] : [anchors.root, anchors.realRoot]
  return bases.some(base => {
    const head = below(text.chunks[0] ?? '', base)
    return head !== null && mayMatchGlob(globs(rule, pattern), { chunks: [head, ...text.chunks.slice(1)], soft: [] })
  })
}

/** Only the base name counts: what stands in the holes before it is not known. */
function mayHoldName(rule: PathRule, text: PathText): boolean {
  const patterns = globs(rule, rule.spec.pattern)
  const last = text.chunks[text.chunks.length - 1] ?? ''
  const slash = last.lastIndexOf('/')
  if (slash !== -1) return patterns.some(glob => globMatches(glob, last.slice(slash + 1)))
  if (!text.onlyGlobs) return patterns.some(glob => globMayMatch(glob, { chunks: ['', last], soft: [] }))
  const start = text.chunks.findLastIndex(chunk => chunk.includes('/'))
  const head = text.chunks[start] ?? ''
  // A pathname glob yields no slash, so only the rule for the name itself can hold.
  return mayMatchGlob(patterns.slice(0, 1), { chunks: [head.slice(head.lastIndexOf('/') + 1), ...text.chunks.slice(start + 1)], soft: [] })
}

/** For text whose holes are pathname globs. */
function mayMatchGlob(patterns: readonly Glob[], text: HoledText): boolean {
  return patterns.some(glob => globMayMatch(glob, text) && !needsHiddenName(glob, text))
}

/** The rule wants a leading dot just where a glob begins a segment: globs do not yield one. */
function needsHiddenName(glob: Glob, text: HoledText): boolean {
  const head = text.chunks[0] ?? ''
  if (text.chunks.length === 1 || !(head === '' || head.endsWith('/'))) return false
  return (glob.segments[0] ?? '').charAt(head.length) === '.'
}

function globs(rule: PathRule, pattern: string): Glob[] {
  const mark = (text: string): string => {
    const runs = text.replaceAll('*', ANY_RUN)
    return rule.rule.dialect === 'genesis' ? runs.replaceAll('?', ANY_ONE) : runs
  }
  const plain = pattern.replace(/\/$/, '')
  return [globOf(mark(plain)), globOf(mark(`${plain}/*`))]
}
