// A tree that is laid over a folder above Belay's home: unpacked, copied, synchronised, checked out, mounted. Nobody sees which files it
// holds; that Belay's home lies below its target is enough to ask, and so is a target that only the shell knows. Where no table says what
// a program does to a folder that it is given, it may lay a tree there too. Over the project itself a tree may come: there the trusted
// policy holds.
import { withoutEnd } from '../../value/without-end.ts'
import type { EnvAssignment, Word } from '../shell/shell-analysis.ts'
import { ANY_SIGN, COLON, DOT, EQUALS, SEPARATOR, SLASH, wordSigns } from '../shell/signs.ts'
import { findProgram } from '../shell/table/find-program.ts'
import { dropText, leadingText } from '../shell/word.ts'
import type { OperandContext } from './protect-operand.ts'
import { type Protection, protectText } from './protect-path.ts'
import { neededProgram } from './protected-place.ts'
import { treeCopiers } from './tree-copier.ts'
import { findLaidTree, isTreeLayer, type LaidTree } from './tree-layer.ts'

export function protectLaidOver(program: string, words: readonly Word[], context: OperandContext): Protection | null {
  const copier = treeCopiers.get(program)
  const tree = copier === undefined ? findLaidTree(program, words) : copier(words)
  if (tree !== null)
    return (
      protectTree(program, tree, context, followsLinks(program, words)) ??
      (copier === undefined ? protectHanded(program, words, context) : null)
    )
  if (copier !== undefined || isTreeLayer(program) || leavesFolders(program)) return null
  return protectHanded(program, words, context)
}

/** cp, mv and git put their own folders in the place of a link, rsync unless it is told to keep it; mounts hide what stands there. */
function followsLinks(program: string, words: readonly Word[]): boolean {
  if (program === 'rsync') return words.some(word => /^(?:-[a-zA-Z]*K|--keep-dirlinks)/.test(leadingText(word)))
  return !treeCopiers.has(program) && !/mount|fs$|^patch$/.test(program)
}

function protectTree(program: string, { into, place }: LaidTree, context: OperandContext, followsLinks: boolean): Protection | null {
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
  const targets = new Set(paths.flatMap(([path, base]) => namesOf(context, path, base)))
  const above = [...targets].find(path => isAboveOurs(path, context))
  if (above !== undefined) return ask(`${program} may lay any file over ${above}, below which Belay keeps its own`)
  return followsLinks ? protectLinked(program, targets, context) : null
}

/** A link that stands in the folder already (an earlier archive brought it) leads what is laid there further on. */
function protectLinked(program: string, targets: ReadonlySet<string>, context: OperandContext): Protection | null {
  const { files } = context.protectedPaths
  for (const folder of targets) {
    const found = files.linkTargetsBelow(folder)
    if (found === null)
      return ask(
        `nobody can look through all links of ${folder}, one of which may lead ${program} to Belay's own files: unpack into a new folder`,
      )
    const link = found.find(path => isAboveOurs(path, context) || isInsideOurs(path, context))
    if (link !== undefined) return ask(`a link in ${folder} leads ${program} to ${link}, where Belay keeps its own files`)
  }
  return null
}

function isInsideOurs(path: string, { protectedPaths }: OperandContext): boolean {
  const found = protectText('write', path, protectedPaths)
  return found !== null && !found.reason.includes(neededProgram.what)
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
  return folder === '/' || path.startsWith(`${withoutEnd(folder, '/')}/`)
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

/**
 * Programs that read the files of a folder and run or rewrite those of their own language. What an option of theirs is given may be a folder
 * that they fill or empty (`pytest --basetemp`).
 */
const READERS: ReadonlySet<string> = new Set(
  (
    'pytest py.test nosetests tox ruff flake8 pylint pyflakes mypy pyright bandit black isort autopep8 yapf vulture pydocstyle ' +
    'eslint oxlint jshint standard xo stylelint jest vitest mocha ava tap markdownlint markdownlint-cli2 cspell codespell typos ' +
    'shellcheck shfmt hadolint yamllint ansible-lint actionlint gofmt golint staticcheck rubocop phpcs ktlint swiftlint luacheck ' +
    'cloc tokei scc sloccount ctags gitleaks trufflehog semgrep'
  ).split(' '),
)
const PLAIN_FLAG = /^-(?:[qvxsflw]|-(?:fix|watch|quiet|verbose|check|diff|cache|all|ci|coverage|bail|strict|version|no-[a-z-]+))$/

/** A word, or a part of one, that is a folder above Belay's home, handed to a program that may do anything there. */
function protectHanded(program: string, words: readonly Word[], context: OperandContext): Protection | null {
  const signs = wordSigns(words)
  for (let at = 1; at < words.length; at++) {
    const value = words[at]?.value ?? null
    const sign = signs[at] ?? ANY_SIGN
    if ((sign & (SLASH | DOT)) === 0 || value === null || value.length > LONGEST || !/[/.]/.test(value)) continue
    if (READERS.has(program) && isRead(value, words[at - 1])) continue
    const pieces = (sign & (EQUALS | COLON | SEPARATOR)) === 0 && !value.startsWith('-') ? [value] : piecesOf(value)
    const piece = pieces.find(one => isHanded(one, context))
    if (piece !== undefined) return ask(`${program} is given ${piece}, below which Belay keeps its own files`)
  }
  return null
}

/** An operand, not the value of an option. */
function isRead(value: string, before: Word | undefined): boolean {
  const option = before === undefined ? '' : leadingText(before)
  return !value.startsWith('-') && (!option.startsWith('-') || PLAIN_FLAG.test(option))
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
  const led = assignments.find(({ name, value }) => mayLead(name, value, context))?.name ?? findLeading(words, context)?.source
  return led === undefined ? null : ask(`${led} may lead a program to Belay's own files`)
}

function findLeading(words: readonly Word[], context: OperandContext): Word | undefined {
  const signs = wordSigns(words)
  return words.find((word, index) => {
    if (index === 0 || ((signs[index] ?? ANY_SIGN) & EQUALS) === 0) return false
    const at = leadingText(word).indexOf('=')
    return at > 0 && mayLead(leadingText(word).slice(0, at), dropText(word, at + 1), context)
  })
}

function mayLead(name: string, word: Word, context: OperandContext): boolean {
  if (OPTIONS.test(name)) return word.value === null || word.value.includes('-')
  if (!FOLDERS.test(name)) return false
  const { value } = word
  return value === null || basesOf(value, context).some(base => namesOf(context, value, base).some(path => isAboveOurs(path, context)))
}
