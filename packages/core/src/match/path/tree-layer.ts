// Programs that lay a tree of files over a folder, as data: when they do, where they are told the folder, and what lets them write elsewhere.
// Nobody sees which files the tree holds.
import type { Word } from '../shell/shell-analysis.ts'
import { dropText, leadingText } from '../shell/word.ts'

interface Layer {
  /** Some word, or the words with blanks between, must say so; absent: it always does. */
  readonly when?: RegExp
  /** The option whose value, the next word or the rest of this one, is the folder. */
  readonly into?: RegExp
  /** The last operand is the folder. */
  readonly isLast?: true
  /** Where it writes without one: where it runs, above that, or in the user's home. */
  readonly otherwise?: '.' | '..' | 'home'
  /** With this the names in the tree may lead anywhere. */
  readonly anywhere?: RegExp
}

/** What a command says of its folder. */
export interface LaidTree {
  readonly into: readonly Word[]
  /** `repository`: the work tree of git above where it runs. */
  readonly place: '.' | '..' | 'home' | 'anywhere' | 'repository' | null
}

const DIRECTORY = /^(?:-[a-zA-Z]*[CdD]|--(?:dir[a-z]*|cd|target-directory|target|dest|output[a-z-]*))(?:=|$)/
const layer = (names: string, more: Layer): (readonly [string, Layer])[] => names.split(' ').map(name => [name, more] as const)

const LAYERS: ReadonlyMap<string, Layer> = new Map([
  ...layer('tar bsdtar gtar star', {
    when: /^\S+\s+-?[a-zA-Z]*x[a-zA-Z]*(?:\s|$)|\s-[a-zA-Z]*x[a-zA-Z]*(?:[\s/]|$)|\s--(?:ext|get)/,
    into: /^(?:-[a-zA-Z]*C|--dir[a-z]*|--cd)(?:=|$)/,
    otherwise: '.',
    anywhere: /^(?:-?(?=[a-zA-Z]*$)[^P]*P.*|--abs[a-z-]*)$/,
  }),
  ...layer('unzip', { when: /^(?!.*\s-[a-zA-Z]*[lptvzZ])/, into: /^-d/, otherwise: '.', anywhere: /^-[a-zA-Z]*:/ }),
  ...layer('7z 7za 7zr 7zz 7zzs p7zip', {
    when: /^\S+\s+(?:-\S+\s+)*[xe]\b/,
    into: /^-o/,
    otherwise: '.',
    anywhere: /^-(?:spf|snld|snl)/,
  }),
  ...layer('rar unrar unrar-free', { when: /^\S+\s+(?:-\S+\s+)*[xe]\b/, isLast: true, otherwise: '.', anywhere: /^-(?:ep3|ol|ola)$/ }),
  ...layer('unar dtrx aunpack atool patool unp ouch lha lhasa arj unace cabextract unshield innoextract', {
    into: DIRECTORY,
    otherwise: '.',
  }),
  // Absolute names in the archive are written as they are, unless it is told otherwise.
  ...layer('cpio bsdcpio gcpio', {
    when: /\s-[a-zA-Z]*[ip]|\s--(?:extract|pass-through)/,
    isLast: true,
    anywhere: /^(?:-[a-zA-Z]*i|--ext)/,
  }),
  ...layer('pax spax', { when: /\s-[a-zA-Z]*r/, isLast: true, anywhere: /^-[a-zA-Z]*r/ }),
  ...layer('ar', { when: /^\S+\s+-?[a-zA-Z]*x/, into: /^--output/, otherwise: '.' }),
  ...layer('jar', { when: /^\S+\s+(?:-?[a-zA-Z]*x|--ex)/, into: /^(?:-C|--dir)/, otherwise: '.', anywhere: /^-?[a-zA-Z]*P/ }),
  ...layer('unsquashfs rdsquashfs', { into: /^-(?:d|dest)$/, otherwise: '.' }),
  ...layer('dpkg dpkg-deb', { when: /\s(?:-[xXR]|--extract|--vextract|--raw-extract)\b/, isLast: true }),
  ...layer('borg tarsnap bupstash', { when: /\s(?:extract|get|-[a-zA-Z]*x)\b/, into: DIRECTORY, otherwise: '.' }),
  ...layer('wget wget2', {
    when: /\s(?:-[a-zA-Z]*[rmx]\b|--(?:recursive|mirror|force-dir))/,
    into: /^(?:-[a-zA-Z]*P|--directory-p[a-z]*)/,
    otherwise: '.',
  }),
  ...layer('rclone', { when: /\s(?:sync|copy|bisync|move|mount)\b/, isLast: true }),
  ...layer('aws gsutil gcloud az s3cmd s5cmd mc', { when: /\s(?:sync|cp|copy|mirror|get|rsync|download-batch)\b/, isLast: true }),
  ...layer('gh glab hub', { when: /\srepo\s+clone\b|^hub clone\b/, isLast: true }),
  ...layer('scp', { when: /\s-[a-zA-Z0-9]*r/, isLast: true }),
  // The files of a patch are read from its text.
  ...layer('patch', { into: /^(?:-d|--dir)/ }),
  ...layer('stow', { into: /^(?:-t|--target)/, otherwise: '..' }),
  ...layer('chezmoi', { when: /\s(?:apply|init|update)\b/, into: /^(?:-D|--destination)/, otherwise: 'home' }),
  ...layer('yadm vcsh homeshick homesick rcup dotbot dotdrop dotter toml-bombadil', { otherwise: 'home' }),
  ...layer(
    'mount mount.overlay fuse-overlayfs overlayfs bindfs sshfs mergerfs unionfs squashfuse archivemount ratarmount encfs gocryptfs',
    {
      isLast: true,
    },
  ),
])

/** `python3 -m zipfile -e x.zip out`. */
const MODULE: Layer = { when: /\s-m\s*(?:zipfile|tarfile)\b.*\s(?:-[a-zA-Z]*e|--ext)/, isLast: true }

/** null: this program, called so, lays no tree. */
export function findLaidTree(program: string, words: readonly Word[]): LaidTree | null {
  const found = LAYERS.get(program) ?? (/^(?:python|pypy)[\d.]*$/.test(program) ? MODULE : undefined)
  if (found === undefined) return null
  if (found.when !== undefined && !found.when.test(textOf(words))) return null
  const { into, place } = folderOf(found, words)
  const leads = found.anywhere !== undefined && words.slice(1).some(({ value }) => value !== null && found.anywhere?.test(value))
  return { into, place: leads ? 'anywhere' : place }
}

/** Whether a program that lays trees does something else here: makes an archive, lists one. */
export function isTreeLayer(program: string): boolean {
  return LAYERS.has(program)
}

function folderOf({ into, isLast, otherwise }: Layer, words: readonly Word[]): LaidTree {
  const named = into === undefined ? [] : optionValues(words, into)
  if (named.length > 0) return { into: named, place: null }
  const last = isLast ? words.slice(1).findLast(word => !leadingText(word).startsWith('-')) : undefined
  return { into: last === undefined ? [] : [last], place: otherwise ?? null }
}

function textOf(words: readonly Word[]): string {
  return words.map(leadingText).join(' ')
}

/** `-C DIR`, `-C/dir`, `--directory=DIR`. */
export function optionValues(words: readonly Word[], option: RegExp): readonly Word[] {
  return words.flatMap((word, at) => {
    const text = leadingText(word)
    const found = at === 0 ? null : option.exec(text)?.[0]
    if (found === null || found === undefined) return []
    if (word.value === null || text.length > found.length) return [dropText(word, found.length)]
    const next = words[at + 1]
    return next === undefined ? [UNKNOWN] : [next]
  })
}

/** The value comes from elsewhere (`xargs tar xf x -C`). */
const UNKNOWN: Word = {
  value: null,
  parts: [{ kind: 'unknown', splits: true }],
  source: 'a folder that is known only at run time',
  glob: false,
}
