// What a field's name says about its text, for tools that nobody described.

/** `typed`: text that goes to something which runs already, or a question to a database. */
export type NameKind = 'command' | 'code' | 'typed' | 'path' | 'directory' | 'url' | null

/** One of these in a name says that the field only speaks about the thing: `command_id`, `file_content`. */
const ABOUT = words(
  'id ids description type timeout count size mode encoding format extension content contents text body message title prompt',
)

/** A command as text is one all the same: `commandText`, `script_content`. */
const TEXTS = words('contents content text body')

const KINDS: readonly (readonly [Exclude<NameKind, null>, ReadonlySet<string>])[] = [
  [
    'command',
    words('command commands cmd cmds cmdline commandline shell bash zsh sh exec argv powershell pwsh terminal oneliner entrypoint'),
  ],
  [
    'code',
    words(
      'code script scripts snippet program expression eval statement statements python py javascript js typescript ts perl ruby lua php applescript function fn lambda cell cells',
    ),
  ],
  ['typed', words('query sql keys chars stdin keystrokes input run execute invoke job line lines')],
  ['directory', words('cwd workdir workingdirectory workingdir')],
  ['url', words('url urls uri uris href link')],
  [
    'path',
    words(
      'path paths file files filename filenames filepath filepaths dir directory folder destination dest dst src source target notebook root location document documents attachment attachments',
    ),
  ],
]

export function nameKind(name: string): NameKind {
  const known = memory.get(name)
  if (known !== undefined) return known
  const found = findKind(name)
  if (memory.size < MAX_REMEMBERED) memory.set(name, found)
  return found
}

/** Names come from a few tools' schemas, over and over. */
const memory = new Map<string, NameKind>()
const MAX_REMEMBERED = 1000

function findKind(name: string): NameKind {
  // `command1`, `cmd2`
  const parts = nameWords(name).map(part => part.replace(/\d+$/, ''))
  const whole = parts.join('')
  for (const [kind, known] of KINDS) {
    if (known.has(whole)) return kind
    const isAbout = parts.some(part => ABOUT.has(part) && !(isRun(kind) && TEXTS.has(part)))
    if (!isAbout && parts.some(part => known.has(part))) return kind
  }
  return null
}

/** It is run as it stands, or as code. */
export const isRun = (kind: NameKind): boolean => kind === 'command' || kind === 'code'

/** Its text is about something, or is what is written somewhere, and does nothing itself. */
export function speaksAbout(name: string): boolean {
  return nameWords(name).some(part => ABOUT.has(part))
}

/** Words for people beside what a tool does. */
export function isRemark(name: string): boolean {
  return nameWords(name).some(word => REMARKS.has(word))
}

const REMARKS = words('id ids description title explanation reason summary comment label note purpose type status')

/** The name of something that is done or started. */
export function isDoing(name: string): boolean {
  return nameWords(name).some(word => DOING.has(word))
}

const DOING = words(
  'action actions op operation operations invocation hook hooks setup recipe exe interpreter cli call do process proc payload trigger handler macro paste send keystroke subcommand verb sudo crontab on before after pre',
)

/** What somebody says, asks, thinks or looks for. */
export function isSpoken(name: string): boolean {
  return nameWords(name).some(word => SPOKEN.has(word))
}

const SPOKEN = words(
  'query q question questions answer answers subject caption thought thoughts thinking observation observations fact facts notes remarks feedback reply response topic goal goals objective plan plans idea ideas memory memories details detail info information context reasoning markdown html story issue term terms keyword keywords tag tags heading header headline quote sentence phrase paragraph instruction instructions error errors log logs pattern patterns regex regexp substring needle search',
)

/** `CommandLine`, `command_line` and `command-line` are the same two words. */
export function nameWords(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(word => word !== '')
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '))
}

const folded = new WeakMap<readonly string[], ReadonlySet<string>>()

/** Keys that are one of these names but for case and signs (`File_Path`): a tool may take them for it. */
export function otherSpellings(input: Readonly<Record<string, unknown>>, names: readonly string[]): readonly string[] {
  const known = folded.get(names) ?? new Set(names.map(fold))
  folded.set(names, known)
  let found: string[] | null = null
  for (const key in input) {
    if (key.length > LONGEST_FIELD || names.includes(key) || !known.has(fold(key)) || !Object.hasOwn(input, key)) continue
    found ??= []
    found.push(key)
  }
  return found ?? NONE
}

const NONE: readonly string[] = []
const LONGEST_FIELD = 64

function fold(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, '')
}
