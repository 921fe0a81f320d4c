// Trees that cp, mv, ln, rsync, git and containers lay over a folder: what of their words decides is theirs alone.
import type { Word } from '../shell/shell-analysis.ts'
import { dropText, leadingText, textWord } from '../shell/word.ts'
import { type LaidTree, optionValues } from './tree-layer.ts'

type FindTree = (words: readonly Word[]) => LaidTree | null

export const treeCopiers: ReadonlyMap<string, FindTree> = new Map<string, FindTree>([
  ['cp', copied],
  ['gcp', copied],
  ['ditto', copied],
  ['mv', moved],
  ['gmv', moved],
  ['ln', linked],
  ['gln', linked],
  ['rsync', synchronised],
  ['git', checkedOut],
  ...['docker', 'podman', 'nerdctl', 'finch', 'kubectl', 'oc', 'buildah', 'docker-compose'].map(name => [name, mounted] as const),
])

const INTO = /^(?:-[a-zA-Z]*t|--target-directory)(?:=|$)/
const operands = (words: readonly Word[]): readonly Word[] => words.slice(1).filter(word => !leadingText(word).startsWith('-'))
const has = (words: readonly Word[], pattern: RegExp): boolean => words.slice(1).some(word => pattern.test(leadingText(word)))
const into = (...words: readonly (Word | undefined)[]): LaidTree => ({ into: words.filter(word => word !== undefined), place: null })

/** Not a folder by its own name (`cp -r src ~`), but what is in it: `cp -rT src ~`, `cp -r src/. ~`, and names that only the shell knows. */
function copied(words: readonly Word[]): LaidTree | null {
  if (!has(words, /^-[a-zA-Z]*[rRa]|^--(?:recursive|archive)$/) && words[0]?.value !== 'ditto') return null
  const named = optionValues(words, INTO)
  const all = operands(words)
  const sources = named.length > 0 ? all : all.slice(0, -1)
  const isContents = has(words, /^-[a-zA-Z]*T|^--no-target/) || words[0]?.value === 'ditto'
  return isContents || sources.some(isOpenName) ? into(...(named.length > 0 ? named : [all.at(-1)])) : null
}

function isOpenName({ value, glob }: Word): boolean {
  return value === null || glob || /(?:^|\/)\.{1,2}\/?$/.test(value)
}

/** In the place of the folder, not into it. */
function moved(words: readonly Word[]): LaidTree | null {
  if (has(words, /^--exchange$/)) return into(...operands(words))
  return has(words, /^-[a-zA-Z]*T|^--no-target/) ? into(operands(words).at(-1)) : null
}

/** Another name for a folder, or a link in its place. */
function linked(words: readonly Word[]): LaidTree | null {
  const all = operands(words)
  const sources = all.length === 1 || optionValues(words, INTO).length > 0 ? all : all.slice(0, -1)
  return into(...sources.filter(({ value }) => value !== null), ...(has(words, /^-[a-zA-Z]*[nhT]|^--no-/) ? [all.at(-1)] : []))
}

function synchronised(words: readonly Word[]): LaidTree | null {
  const all = operands(words)
  const isOpen = (word: Word): boolean => isOpenName(word) || /\/$/.test(word.value ?? '')
  const isDeep = has(words, /^-[a-zA-Z]*R|^--(?:relative|files-from)/)
  return isDeep || all.slice(0, -1).some(isOpen) ? into(all.at(-1)) : null
}

/** What is mounted from here, and what is copied or built to here. */
function mounted(words: readonly Word[]): LaidTree | null {
  if (has(words, /^cp$/)) return into(operands(words).at(-1))
  const built = has(words, /^(?:build|bud|bake|builder|buildx)$/) ? builtTo(words) : []
  if (built.length > 0) return into(...built)
  const shared = optionValues(words, /^(?:-v|--volume|--mount)(?:=|$)/)
  const sources = shared.flatMap(({ value }) => {
    const source = /(?:^|,)(?:source|src)=([^,]*)/.exec(value ?? '')?.[1] ?? /^([/.~][^:]*):/.exec(value ?? '')?.[1]
    return source === undefined ? [] : [textWord(source)]
  })
  return sources.length === 0 ? null : into(...sources)
}

/** `-o DIR`, `--output type=local,dest=DIR`, `--set '*.output=type=local,dest=DIR'`, `--cache-to=type=local,dest=DIR`. */
function builtTo(words: readonly Word[]): readonly Word[] {
  const named = words.filter(word => /(?:^|[=,])dest=/.test(leadingText(word)))
  const plain = optionValues(words, /^(?:-o|--output)(?:=|$)/).filter(({ value }) => value === null || !/^-$|[=,]/.test(value))
  return [...plain, ...named.map(word => dropText(word, leadingText(word).lastIndexOf('dest=') + 'dest='.length))].map(firstPart)
}

/** Up to the comma behind it. */
function firstPart(word: Word): Word {
  return word.value?.includes(',') ? textWord(word.value.slice(0, word.value.indexOf(',')), word.source) : word
}

const WRITERS =
  /^(?:checkout|restore|reset|apply|am|pull|merge|rebase|switch|cherry-pick|revert|stash|checkout-index|read-tree|sparse-checkout)$/

function checkedOut(words: readonly Word[]): LaidTree | null {
  const led = workTrees(words)
  const verb = words.findIndex((word, at) => at > 0 && /^(?:clone|worktree|submodule|init|config)$/.test(word.value ?? ''))
  const rest = operands(words.slice(verb))
  switch (verb < 0 ? '' : words[verb]?.value) {
    case 'clone':
      return into(...led, ...rest.slice(1))
    case 'worktree':
      return rest[0]?.value === 'add' ? into(...led, ...rest.slice(1)) : null
    case 'submodule':
      return rest[0]?.value === 'add' ? into(...rest.slice(1)) : null
    case 'init':
      return rest.length > 0 ? into(...rest) : { into: led, place: led.length > 0 ? null : '.' }
    case 'config':
      return into(...rest.slice(1).filter((_, at) => /^core\.worktree$/i.test(rest[at]?.value ?? '')), ...led)
    default:
  }
  if (!has(words, WRITERS)) return led.length > places(words).length ? into(...led) : null
  return led.length > 0 ? into(...led, ...prefix(words)) : { into: prefix(words), place: 'repository' }
}

const places = (words: readonly Word[]): readonly Word[] => optionValues(words, /^-C$/)
const prefix = (words: readonly Word[]): readonly Word[] => optionValues(words, /^--(?:prefix|directory)(?:=|$)/)

/** Where git is told to work: `-C`, `--work-tree`, `-c core.worktree=x`. */
function workTrees(words: readonly Word[]): readonly Word[] {
  const set = words.filter(word => /^core\.worktree=/i.test(leadingText(word))).map(word => dropText(word, 'core.worktree='.length))
  return [...places(words), ...optionValues(words, /^--work-tree(?:=|$)/), ...set]
}
