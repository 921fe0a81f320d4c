// A file whose name is only partly known (`cat "$f"`, `rm .e*`): which rules may hold for it.
// A pathname glob stays inside its segment and never yields a leading dot; an expansion may become any text at all.
import { ANY_ONE, ANY_RUN, type Glob, globMatches, globMayMatch, globOf, type PartlyKnownText } from '../match/glob.ts'
import { foldCase } from '../match/path/fold-case.ts'
import { collapse } from '../match/path/resolve-path.ts'
import { type WordSegment, wordSegments } from '../match/path/word-segments.ts'
import type { Word } from '../match/shell/shell-analysis.ts'
import { anyBelow } from '../match/shell/word.ts'
import { type EffectIndex, rulesFor } from './compile-rules.ts'
import type { JudgeInput } from './judge-part.ts'
import type { PathRule } from './path-index.ts'
import type { Rule } from './rule.ts'

export interface PartlyKnownFile {
  readonly word: Word
  readonly base: string | null
  /** Globs yield names with a leading dot (`shopt -s dotglob`). */
  readonly yieldsHidden: boolean
}

/** The first rule that may hold for some file the word could name. */
export function mayMatchPath(input: JudgeInput, index: EffectIndex, tool: string, file: PartlyKnownFile): Rule | null {
  return rulesFor(index, tool).find(({ any }) => any !== null)?.any ?? mayMatchCertain(input, index, tool, file)
}

/** The same of rules about certain files alone. */
export function mayMatchCertain(input: JudgeInput, index: EffectIndex, tool: string, file: PartlyKnownFile): Rule | null {
  const texts = pathTexts(input, file)
  for (const rules of rulesFor(index, tool)) {
    const found = rules.paths?.all.find(rule => texts.some(text => mayHold(input, rule, text)))
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
  /** Absolute, with the unknown parts between the chunks; an unknown directory is an unknown part at the start. */
  readonly chunks: readonly string[]
  /** Its names from `/` on, where every unknown part is a pathname glob; else null. */
  readonly segments: readonly WordSegment[] | null
  /** Globs of it stand for hidden names too: `dotglob` is on, or one is any path below. */
  readonly holdsHidden: boolean
  /** One of them stands for any path below. */
  readonly isAnyBelow: boolean
}

/** As it is written and, where the folders before the first glob lie behind a link, as it is on disk. */
function pathTexts(input: JudgeInput, file: PartlyKnownFile): readonly PathText[] {
  const text = absoluteText(input, file)
  const first = text.segments?.findIndex(segment => segment.literal === null) ?? -1
  if (text.segments === null || first < 1) return [text]
  const directory = `/${text.segments
    .slice(0, first)
    .map(segment => segment.literal)
    .join('/')}`
  const real = input.context.files.realPath(directory)
  if (!real.ok || real.path === directory) return [text]
  const there = wordSegments(wordOf(real.path), { base: '/', caseInsensitive: input.places.anchors.caseInsensitive, yieldsHidden: false })
  const segments = [...there.segments, ...text.segments.slice(first)]
  return [text, { ...text, segments, chunks: chunksOf(segments, '/') }]
}

function wordOf(path: string): Word {
  return { value: path, parts: [{ kind: 'text', value: path }], source: path, glob: false }
}

function absoluteText(input: JudgeInput, { word, base, yieldsHidden }: PartlyKnownFile): PathText {
  const isAnyBelow = word.parts.includes(anyBelow)
  const holdsHidden = isAnyBelow || yieldsHidden
  const { caseInsensitive } = input.places.anchors
  const { segments, hasUnknown, isPlaced } = wordSegments(word, { base, caseInsensitive, yieldsHidden })
  if (!hasUnknown && isPlaced) return { chunks: chunksOf(segments, '/'), segments, holdsHidden, isAnyBelow }
  return { chunks: knownChunks(word, base), segments: null, holdsHidden, isAnyBelow }
}

/** The names with `/` between, cut at each glob. */
function chunksOf(segments: readonly WordSegment[], start: '/' | ''): readonly string[] {
  const chunks = [start]
  segments.forEach((segment, index) => {
    if (index > 0) chunks[chunks.length - 1] += '/'
    for (const part of segment.parts) {
      if (part.kind === 'text') chunks[chunks.length - 1] += part.value
      else chunks.push('')
    }
  })
  return chunks
}

function knownChunks(word: Word, base: string | null): readonly string[] {
  const chunks = ['']
  for (const part of word.parts) {
    if (part.kind === 'text') chunks[chunks.length - 1] += part.value
    else chunks.push('')
  }
  const head = chunks[0] ?? ''
  const startsWithUnknown = chunks.length > 1 && head === '' && word.parts[0]?.kind === 'unknown'
  if (head.startsWith('/')) chunks[0] = collapseHead(head)
  else if (startsWithUnknown || base === null) return ['', ...chunks.slice(head === '' ? 1 : 0)]
  else chunks[0] = collapseHead(`${base}/${head}`)
  return chunks
}

/** Collapses the directories that are complete; the last segment may go on in the unknown part. */
function collapseHead(head: string): string {
  const slash = head.lastIndexOf('/')
  const directory = collapse(head.slice(0, slash) || '/')
  return `${directory === '/' ? '' : directory}${head.slice(slash)}`
}

function mayHold(input: JudgeInput, rule: PathRule, text: PathText): boolean {
  const { anchor } = rule.spec
  const pattern = rule.spec.pattern.replace(/^\/+/, '')
  if (anchor === 'name') return mayHoldName(input, rule, text)
  const { segments } = text
  if (segments === null) return true
  const { anchors } = input.places
  const bases = anchor === 'absolute' ? ['/'] : anchor === 'home' ? [anchors.home, anchors.realHome] : [anchors.root, anchors.realRoot]
  if (text.isAnyBelow)
    return (
      maySeekName(input, rule, text) &&
      bases.some(base => mayMatchGlob(input, globs(rule, `${base}/${pattern}`.replace(/^\/+/, '/')), { ...text, soft: [] }))
    )
  return bases.some(base => {
    const rest = segmentsBelow(segments, base)
    if (rest === null || !mayBeginWith(rest, pattern)) return false
    const name = /^\*\*\/([^/]+)$/.exec(pattern)?.[1]
    if (name !== undefined) return rest.some(segment => mayBeName(input, rule, name, { ...text, segments: [segment] }))
    return mayMatchGlob(input, globs(rule, pattern), { ...text, chunks: chunksOf(rest, ''), soft: [] })
  })
}

/** A rule like `.env*` is about names: a search that passes folders of such a name on its way looks for others. */
function maySeekName(input: JudgeInput, rule: PathRule, text: PathText): boolean {
  const name = /[^/]*$/.exec(rule.spec.pattern)?.[0] ?? ''
  if (!/^[^*]+\*+$/.test(name) || text.segments === null) return true
  const sought = chunksOf(text.segments.slice(-1), '')
  // What stands for the folders on the way ends where the name begins.
  const chunks = sought.length > 1 && sought[0] === '' ? sought.slice(1) : sought
  return mayMatchGlob(input, globs(rule, name).slice(0, 1), { ...text, chunks, soft: [] })
}

/** A rule for a name at any depth: a pathname glob yields no slash, so one of the names must fit. */
function mayBeName(input: JudgeInput, rule: PathRule, name: string, text: PathText): boolean {
  return mayMatchGlob(input, globs(rule, name).slice(0, 1), { ...text, chunks: chunksOf(text.segments ?? [], ''), soft: [] })
}

/** Names of the rule that hold no wildcard stand for themselves: `*.ts` is never `secrets`. */
function mayBeginWith(segments: readonly WordSegment[], pattern: string): boolean {
  const names = pattern.split('/')
  const end = names.findIndex(name => /[*?]/.test(name))
  const literal = end < 0 ? names : names.slice(0, end)
  return literal.every((name, at) => name === '' || segments[at] === undefined || segments[at]?.matches(name))
}

/** The names below the directory, where those before may become it (`/home/*` is `/home/dev`); null where they cannot. */
function segmentsBelow(segments: readonly WordSegment[], directory: string): readonly WordSegment[] | null {
  const names = directory.split('/').filter(name => name !== '')
  if (segments.length < names.length) return null
  return names.every((name, at) => segments[at]?.matches(name)) ? segments.slice(names.length) : null
}

/** Only the base name counts: what stands in the unknown parts before it is not known. */
function mayHoldName(input: JudgeInput, rule: PathRule, text: PathText): boolean {
  const { segments } = text
  const patterns = globs(rule, rule.spec.pattern)
  if (segments === null) {
    const last = text.chunks.at(-1) ?? ''
    const slash = last.lastIndexOf('/')
    if (slash !== -1) return patterns.some(glob => globMatches(glob, last.slice(slash + 1)))
    return patterns.some(glob => globMayMatch(glob, { chunks: ['', last], soft: [] }))
  }
  // A rule for a plain name holds for all below a folder of that name.
  const isBelow = rule.pattern().anySegment && segments.some(segment => segment.start !== '' && segment.matches(rule.spec.pattern))
  // A pathname glob yields no slash, so only the rule for the name itself can hold. What is sought below stands for its own name.
  const holdsHidden = text.holdsHidden && !text.isAnyBelow
  return isBelow || mayMatchGlob(input, patterns.slice(0, 1), { ...text, holdsHidden, chunks: chunksOf(segments.slice(-1), ''), soft: [] })
}

type GlobText = PartlyKnownText & Pick<PathText, 'holdsHidden' | 'isAnyBelow'>

/** For text whose unknown parts are pathname globs. */
function mayMatchGlob(input: JudgeInput, patterns: readonly Glob[], text: GlobText): boolean {
  const { caseInsensitive } = input.places.anchors
  const spelt = caseInsensitive ? { chunks: text.chunks.map(foldCase), soft: text.soft } : text
  return patterns.some(glob => {
    const same = caseInsensitive ? { ...glob, segments: glob.segments.map(foldCase) } : glob
    if (glob.segments.length === 1 && !text.isAnyBelow && countSlashes(glob.segments) !== countSlashes(text.chunks)) return false
    return globMayMatch(same, spelt) && (text.holdsHidden || !needsHiddenName(same, spelt))
  })
}

/** A pathname glob yields no slash. */
function countSlashes(texts: readonly string[]): number {
  return texts.reduce((count, text) => count + text.split('/').length - 1, 0)
}

/** The rule wants a leading dot just where a glob begins a segment: globs do not yield one. */
function needsHiddenName(glob: Glob, text: PartlyKnownText): boolean {
  const head = text.chunks[0] ?? ''
  if (text.chunks.length === 1 || !(head === '' || head.endsWith('/'))) return false
  return (glob.segments[0] ?? '').charAt(head.length) === '.'
}

/** A rule holds for what lies below a name too, and one for all below a folder for the folder itself. */
function globs(rule: PathRule, pattern: string): Glob[] {
  const mark = (text: string): string => {
    const runs = text.replaceAll('*', ANY_RUN)
    return rule.rule.dialect === 'genesis' ? runs.replaceAll('?', ANY_ONE) : runs
  }
  const plain = pattern.replace(/\/$/, '')
  const folder = /^(.*[^/*])\/\*{1,2}$/.exec(plain)?.[1]
  return [plain, `${plain}/*`, ...(folder === undefined ? [] : [folder])].map(text => globOf(mark(text)))
}
