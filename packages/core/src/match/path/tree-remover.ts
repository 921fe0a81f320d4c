// Programs whose work is to remove whole trees: what they are given, what a pattern of their own finds, and what a version control system does
// not keep where it is told to clean up.
import type { Word } from '../shell/shell-analysis.ts'
import { leadingText, textWord } from '../shell/word.ts'

interface Remover {
  /** The verb that removes; absent: the program does nothing else. */
  readonly verb?: RegExp
  /** An option that has to stand there, too. */
  readonly when?: RegExp
  readonly unless?: RegExp
  /** Which of its operands; `here`: all, and without any the folder in which it runs. */
  readonly takes: 'all' | 'here' | 'first' | 'last'
  /** It reads patterns of names itself. */
  readonly readsGlobs?: true
}

const removers = (names: string, remover: Remover): readonly (readonly [string, Remover])[] =>
  names.split(' ').map(name => [name, remover] as const)

const ONLY_SAYS = /^(?:-[a-zA-Z]*n|--(?:dry-?run|preview|print|no-act|test))$/

const REMOVERS: ReadonlyMap<string, readonly Remover[]> = group([
  ...removers('trash-put trashy gtrash gomi rip rmtrash rmw wipe scrub srm safe-rm rm-rf deltree tmpreaper tmpwatch', { takes: 'all' }),
  ...removers('rimraf del del-cli rm-cli trash trash-cli', { takes: 'all', readsGlobs: true, unless: /^--dry-run$/ }),
  ...removers('bleachbit', { when: /^(?:-s|--shred)$/, takes: 'all' }),
  ...removers('gio kioclient kioclient5 kioclient6 gvfs-trash gvfs-rm', { verb: /^(?:trash|remove|move|del)$/, takes: 'all' }),
  ...removers('shx', { verb: /^(?:rm|mv)$/, takes: 'all', readsGlobs: true }),
  ...removers('hg chg sl', { verb: /^(?:purge|clean)$/, unless: /^(?:-p|--print)$/, takes: 'here' }),
  ...removers('bzr brz', { verb: /^clean-tree$/, unless: ONLY_SAYS, takes: 'here' }),
  ...removers('svn', { verb: /^cleanup$/, when: /^--remove-/, takes: 'here' }),
  ...removers('fossil', { verb: /^clean$/, unless: ONLY_SAYS, takes: 'here' }),
  ...removers('p4', { verb: /^clean$/, unless: ONLY_SAYS, takes: 'here' }),
  ...removers('git hub', { verb: /^clean$/, when: /^-[a-zA-Z]*[dxX]/, unless: ONLY_SAYS, takes: 'here', readsGlobs: true }),
  ...removers('rclone', { verb: /^(?:purge|delete|rmdirs?|move|moveto)$/, unless: ONLY_SAYS, takes: 'first' }),
  ...removers('rclone', { verb: /^(?:sync|bisync)$/, unless: ONLY_SAYS, takes: 'last' }),
  ...removers('aws s5cmd', { verb: /^mv$/, takes: 'first' }),
  ...removers('aws s5cmd', { verb: /^sync$/, when: /^--delete$/, takes: 'last' }),
  ...removers('gsutil', { verb: /^mv$/, takes: 'first' }),
  ...removers('gsutil', { verb: /^rsync$/, when: /^-[a-zA-Z]*d/, takes: 'last' }),
  ...removers('mc', { verb: /^mirror$/, when: /^--remove$/, takes: 'last' }),
])

/** The folder that a build writes to is emptied first. */
const EMPTIES = /^--(?:empty-?out-?dir|clean-?destination-?dir)(?:=true)?$/i

export interface Removed {
  readonly trees: readonly Word[]
  readonly readsGlobs: boolean
}

/** null: this program, called so, removes no tree. */
export function findRemoved(program: string, words: readonly Word[]): Removed | null {
  for (const remover of REMOVERS.get(program) ?? []) {
    const trees = removedBy(remover, words)
    if (trees !== null) return { trees, readsGlobs: remover.readsGlobs === true }
  }
  const empties = words.some(({ value }) => value?.startsWith('--') === true && EMPTIES.test(value))
  return empties ? { trees: words.slice(1).filter(word => !leadingText(word).startsWith('-')), readsGlobs: false } : null
}

function removedBy({ verb, when, unless, takes }: Remover, words: readonly Word[]): readonly Word[] | null {
  const has = (pattern: RegExp): boolean => words.some((word, at) => at > 0 && pattern.test(leadingText(word)))
  const from = verb === undefined ? 0 : words.findIndex(({ value }, at) => at > 0 && value !== null && verb.test(value))
  if (from < 0 || (when !== undefined && !has(when)) || (unless !== undefined && has(unless))) return null
  const all = words.slice(from + 1).filter((word, at) => !/^-/.test(leadingText(word)) && !EXCLUDES.test(words[from + at]?.value ?? ''))
  const taken = takes === 'first' ? all.slice(0, 1) : takes === 'last' ? all.slice(-1) : all
  if (takes === 'here' && all.length === 0) return [textWord('.')]
  return taken.filter(word => !ELSEWHERE.test(leadingText(word))).map(word => (leadingText(word).startsWith(':') ? ANYWHERE : word))
}

/** On another machine: `host:path`. */
const ELSEWHERE = /^[\w-]+:/
/** Its value is no tree. */
const EXCLUDES = /^(?:-[a-zA-Z]*e|--exclude)$/
/** `:/`, `:(top)x`: wherever git finds it. */
const ANYWHERE = textWord('/')

function group(rows: readonly (readonly [string, Remover])[]): ReadonlyMap<string, readonly Remover[]> {
  const all = new Map<string, Remover[]>()
  for (const [name, remover] of rows) all.set(name, [...(all.get(name) ?? []), remover])
  return all
}
