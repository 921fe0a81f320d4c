// A tree that is laid over a folder above Belay's home: unpacked, copied, synchronised, checked out, mounted. Nobody sees which files it
// holds; that Belay's home lies below its target is enough to ask. Over the project itself a tree may come: there the trusted policy holds.
import type { Word } from '../shell/shell-analysis.ts'
import { dropText, leadingText } from '../shell/word.ts'
import type { OperandContext } from './protect-operand.ts'
import type { Protection } from './protect-path.ts'

/** Where a command lays its tree: at these words, or where it runs. */
interface Target {
  readonly words: readonly Word[]
  readonly isHere: boolean
}

const NOWHERE: Target = { words: [], isHere: false }

export function protectLaidOver(program: string, words: readonly Word[], context: OperandContext): Protection | null {
  const { words: targets, isHere } = findTarget(program, words)
  const bases = context.bases ?? []
  const paths = [
    ...(isHere ? bases : []),
    ...targets.flatMap(({ value }) => (value === null ? [] : (value.startsWith('/') ? ['/'] : bases).map(base => [value, base] as const))),
  ].flatMap(at => {
    const { lexical, real } = typeof at === 'string' ? context.resolve('.', at) : context.resolve(...at)
    return [lexical, real ?? lexical]
  })
  const { belayHome, roots } = context.protectedPaths
  const above = paths.find(path => isAbove(path, belayHome) && !roots.includes(path))
  return above === undefined
    ? null
    : { decision: 'ask', reason: `${program} may lay any file over ${above}, below which Belay keeps its own; a person must agree` }
}

function isAbove(folder: string, path: string): boolean {
  return folder === '/' || path.startsWith(`${folder.replace(/\/+$/, '')}/`)
}

function findTarget(program: string, words: readonly Word[]): Target {
  const has = (pattern: RegExp): boolean => words.slice(1).some(word => pattern.test(word.value ?? ''))
  const named = optionValues(words)
  const last = words.slice(1).findLast(word => !leadingText(word).startsWith('-'))
  const lastOnly: Target = { words: [...named, ...(last === undefined ? [] : [last])], isHere: false }
  if (/^(?:bsd|g)?tar$/.test(program)) {
    const extracts = /^-?[a-zA-Z]*x/.test(words[1]?.value ?? '') || has(/^-[a-zA-Z]*x|^--(?:extract|get)$/)
    return extracts ? { words: named, isHere: named.length === 0 } : NOWHERE
  }
  if (program === 'unzip' || program === 'unar') return { words: named, isHere: named.length === 0 }
  if (program === 'cpio') return has(/^-[a-zA-Z]*i|^--extract$/) ? { words: named, isHere: named.length === 0 } : NOWHERE
  if (program === 'cp') return copiesContents(words) ? lastOnly : NOWHERE
  if (program === 'rsync') return words.slice(1, -1).some(word => word.value === null || /\/$/.test(word.value)) ? lastOnly : NOWHERE
  if (program === 'rclone' || program === 'aws') return has(/^(?:sync|copy|cp|bisync)$/) ? lastOnly : NOWHERE
  if (program === 'git') return has(/^clone$/) ? lastOnly : has(GIT_WRITERS) ? { words: named, isHere: false } : NOWHERE
  if (/^(?:patch|stow)$/.test(program)) return { words: named, isHere: false }
  if (/^(?:mount|bindfs|sshfs)$/.test(program)) return lastOnly
  return NOWHERE
}

const GIT_WRITERS = /^(?:checkout|restore|reset|apply|am|pull|merge|switch|checkout-index|read-tree)$/
const FOLDER_OPTION = /^(?:-[CdDt]|--(?:directory|target-directory|target|work-tree))$/
const FOLDER_JOINED = /^(?:-[CdDt](?=[^a-zA-Z-])|--(?:directory|target-directory|target|work-tree)=)/

/** `-C DIR`, `-C/dir`, `--directory=DIR`. */
function optionValues(words: readonly Word[]): readonly Word[] {
  return words.flatMap((word, at) => {
    const next = words[at + 1]
    if (FOLDER_OPTION.test(word.value ?? '')) return next === undefined ? [] : [next]
    const joined = FOLDER_JOINED.exec(leadingText(word))?.[0]
    return joined === undefined ? [] : [dropText(word, joined.length)]
  })
}

/** Not the folder by its own name (`cp -r src ~`), but what is in it: `cp -rT src ~`, `cp -r src/. ~`. */
function copiesContents(words: readonly Word[]): boolean {
  const values = words.slice(1).map(word => word.value)
  const isDeep = values.some(value => /^-[a-zA-Z]*[rRa]|^--(?:recursive|archive)$/.test(value ?? ''))
  return isDeep && values.slice(0, -1).some(value => value === null || /(?:^|\/)\.{1,2}\/?$|^-[a-zA-Z]*T|^--no-target/.test(value))
}
