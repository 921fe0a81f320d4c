// A tree that is laid over a folder above Belay's home: unpacked, copied, synchronised, checked out, mounted. Nobody sees which files it
// holds; that Belay's home lies below its target is enough to ask, and so is a target that only the shell knows. Where no table says what
// a program does to a folder that it is given, it may lay a tree there too. Over the project itself a tree may come: there the trusted
// policy holds.
import type { EnvAssignment, Word } from '../shell/shell-analysis.ts'
import { findProgram } from '../shell/table/find-program.ts'
import { dropText, leadingText } from '../shell/word.ts'
import type { OperandContext } from './protect-operand.ts'
import type { Protection } from './protect-path.ts'
import { treeCopiers } from './tree-copier.ts'
import { findLaidTree, isTreeLayer, type LaidTree } from './tree-layer.ts'

export function protectLaidOver(program: string, words: readonly Word[], context: OperandContext): Protection | null {
  const copier = treeCopiers.get(program)
  const tree = copier === undefined ? findLaidTree(program, words) : copier(words)
  if (tree !== null) return protectTree(program, tree, context) ?? (copier === undefined ? protectHanded(program, words, context) : null)
  if (copier !== undefined || isTreeLayer(program) || leavesFolders(program)) return null
  return protectHanded(program, words, context)
}

function protectTree(program: string, { into, place }: LaidTree, context: OperandContext): Protection | null {
  if (place === 'anywhere') return ask(`the names in what ${program} unpacks may lead anywhere, also to Belay's own files`)
  if (place === 'home') return ask(`${program} may lay any file over the home, where Belay keeps its own`)
  if ((place === '.' || place === '..' || place === 'repository') && context.bases === null)
    return ask(`${program} would lay a tree over a folder that is known only when it runs`)
  const unknown = into.find(word => word.value === null || word.glob)
  if (unknown !== undefined) return ask(`${program} would lay a tree over ${unknown.source}, which is known only when it runs`)
  const here = place === '.' || place === '..' || place === 'repository' ? (context.bases ?? []) : []
  const paths = [
    ...here.flatMap(base =>
      (place === 'repository' ? workTrees(base, context) : [base]).map(at => [place === '..' ? '..' : '.', at] as const),
    ),
    ...into.flatMap(({ value }) => basesOf(value ?? '', context).map(base => [value ?? '', base] as const)),
  ]
  const above = paths.flatMap(([path, base]) => namesOf(context, path, base)).find(path => isAboveOurs(path, context))
  return above === undefined ? null : ask(`${program} may lay any file over ${above}, below which Belay keeps its own`)
}

function ask(reason: string): Protection {
  return { decision: 'ask', reason: `${reason}; a person must agree` }
}

/** An unknown base holds what nobody knows. */
function basesOf(path: string, { bases }: OperandContext): readonly string[] {
  return path.startsWith('/') ? ['/'] : (bases ?? ['/'])
}

function namesOf({ resolve }: OperandContext, path: string, base: string): readonly string[] {
  const { lexical, real } = resolve(path === '' ? '.' : path, base)
  return [lexical, real ?? lexical]
}

/** Where git would write, if it works here at all. */
function workTrees(base: string, { protectedPaths: { files } }: OperandContext): readonly string[] {
  for (let folder = base; folder !== ''; folder = folder.slice(0, folder.lastIndexOf('/')))
    if (files.names(folder)?.some(({ name }) => name === '.git')) return [folder]
  return []
}

function isAboveOurs(folder: string, { protectedPaths }: OperandContext): boolean {
  return protectedPaths.kept.below.some(path => isAbove(folder, path))
}

function isAbove(folder: string, path: string): boolean {
  return folder === '/' || path.startsWith(`${folder.replace(/\/+$/, '')}/`)
}

/** Programs that look at a folder they are given, or change no more than the names they are told. */
const LEAVE_FOLDERS: ReadonlySet<string> = new Set(
  (
    'ls ll la dir vdir exa eza lsd du ncdu dust gdu df stat tree broot file wc namei lsof fuser findmnt mountpoint getfacl lsattr ' +
    'cat head tail less more bat diff cmp comm sha1sum sha256sum sha512sum md5sum b2sum cksum xxd hexdump od strings ' +
    'find fd fdfind gfind locate plocate grep egrep fgrep rg ag ack fzf jq yq sed awk gawk mawk cut tr sort uniq ' +
    'cd pushd popd dirs pwd test [ [[ echo printf export declare typeset local readonly unset set alias type which whereis command ' +
    'basename dirname realpath readlink mkdir touch rm rmdir unlink chmod chown chgrp setfacl install inotifywait watchman ' +
    'zip gzip xz zstd code cursor subl open xdg-open nautilus ssh curl http say notify-send sleep kill man belay mentu claude codex'
  ).split(' '),
)

function leavesFolders(program: string): boolean {
  return LEAVE_FOLDERS.has(program) || findProgram(program)?.wrapper !== undefined
}

/** A word, or a part of one, that is a folder above Belay's home, handed to a program that may do anything there. */
function protectHanded(program: string, words: readonly Word[], context: OperandContext): Protection | null {
  for (const word of words.slice(1)) {
    const { value } = word
    if (value === null || value.length > LONGEST || !/[/.]/.test(value)) continue
    const piece = piecesOf(value).find(one => isHanded(one, context))
    if (piece !== undefined) return ask(`${program} is given ${piece}, below which Belay keeps its own files`)
  }
  return null
}

/** No path is longer. */
const LONGEST = 4096

/** `x`, `--option=x`, `-ox`, `x:y`, `a=x,b=y`. */
function piecesOf(value: string): readonly string[] {
  const text = /^-\w+(?=\/)/.test(value) ? value.slice(value.indexOf('/')) : value
  return text.split(/[=:,]/)
}

/** Only folders that are spelt out: a single slash is text to most programs, and a name may be anything. */
function isHanded(piece: string, context: OperandContext): boolean {
  if (piece === '/' || !/^(?:\/|\.\.?(?:\/|$))/.test(piece)) return false
  const isOdd = piece.includes('..') || piece.includes('//') || piece.includes('/.')
  if (piece.startsWith('/') && !isOdd) return isAboveOurs(piece, context)
  const { roots } = context.protectedPaths
  return basesOf(piece, context).some(base =>
    namesOf(context, piece, base).some(path => isAboveOurs(path, context) && !roots.includes(path)),
  )
}

/** Variables by which programs that lay trees are given options, or the folder. */
const OPTIONS = /^(?:TAR_OPTIONS|UNZIP|UNZIPOPT)$/
const FOLDERS = /^GIT_(?:WORK_TREE|DIR|COMMON_DIR)$/

/** `TAR_OPTIONS='-C /home/dev' tar xf x`, `export GIT_WORK_TREE=~`. */
export function protectLed(words: readonly Word[], assignments: readonly EnvAssignment[], context: OperandContext): Protection | null {
  const led =
    assignments.find(({ name, value }) => mayLead(name, value, context))?.name ??
    words.slice(1).find(word => {
      const at = leadingText(word).indexOf('=')
      return at > 0 && mayLead(leadingText(word).slice(0, at), dropText(word, at + 1), context)
    })?.source
  return led === undefined ? null : ask(`${led} may lead a program to Belay's own files`)
}

function mayLead(name: string, word: Word, context: OperandContext): boolean {
  if (OPTIONS.test(name)) return word.value === null || word.value.includes('-')
  if (!FOLDERS.test(name)) return false
  const { value } = word
  return value === null || basesOf(value, context).some(base => namesOf(context, value, base).some(path => isAboveOurs(path, context)))
}
