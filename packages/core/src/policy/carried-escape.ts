// Places in a text at which small languages start a command of the system: a call with a text (`system("rm -rf x")`), a line that
// begins with an escape (`! rm -rf x`, `\! rm`, `.sy rm`, `shell rm`), backticks. What a known program's table says nothing of may do that.
import { spend } from '../match/shell/meter.ts'
import { readOnlyPrograms } from '../match/shell/read-only.ts'

/** Their texts are data, or are read whole by a reader of their own. */
const TEXT_PROGRAMS: ReadonlySet<string> = new Set([
  ...readOnlyPrograms,
  ...(
    'tee sponge dd patch split fmt bat less more xargs parallel pbcopy xclip xsel wl-copy clip mail mailx sendmail gzip zstd xz bzip2 openssl gpg age ' +
    'curl wget http https xh prettier eslint biome ruff black gofmt ag ack say logger man info touch mkdir mv cp rm ln chmod chown'
  ).split(' '),
])

export function holdsEscapes(program: string): boolean {
  return !TEXT_PROGRAMS.has(program)
}

const CALL = String.raw`\([\s[]{0,4}(?:[\w./-]{1,32}\s{1,4})?["'\x60]`
const NAMED_CALL = String.raw`\b(?:system|exec|execSync|spawn|spawnSync|popen|shell|sh|execute)[\s([{,]{0,4}["'\x60]`
const LINE = String.raw`(?:^|[\n;])[ \t]{0,8}(?:[\\!|.]{1,3}[ \t]{0,4}(?:(?:shell|sh|system|sys|sy|pso|host|exec|run|os)[ \t]{1,4})?|(?:shell|host|sh|system|os|exec|run|spawn)[ \t]{1,4})`
const BACKTICK = String.raw`\x60(?=[^\x60\s]{1,64}\s[^\x60]{0,1024}\x60)`
const ESCAPE = new RegExp(`${CALL}|${NAMED_CALL}|${LINE}|${BACKTICK}`, 'g')
/** An option and its value in one word. */
const OPTION = /^--?[\w-]{1,40}=/

/** A text longer than `MAX_TEXT` is looked through up to there. */
const MAX_TEXT = 16_384
const MAX_ESCAPES = 64
/** More words than a rule and its flags have. */
const MAX_WORDS = 12
/** What the words of one command take. */
const MAX_COMMAND = 512
const TEXT_WORK = 20
/** Two words at least, which a command has. */
const WORDS = /[\w./@%^~*?+=:-][^\w./@%^~*?+=:-]+[\w./@%^~*?+=:-]/

/** The words of each command that may start in this text. */
export function escapedCommands(text: string): readonly (readonly string[])[] {
  const value = text.replace(OPTION, '').slice(0, MAX_TEXT)
  spend(TEXT_WORK + value.length)
  if (!WORDS.test(value)) return []
  // `-wrapper rm,-rf,x`
  const listed = /^[\w./-]{1,64}(?:,[^,\s]{1,64}){1,12}$/.test(value) ? [value.split(',')] : []
  const found = [...value.matchAll(ESCAPE)].slice(0, MAX_ESCAPES).map(match => commandWords(value.slice(match.index + match[0].length)))
  return [...listed, ...found]
}

function commandWords(text: string): readonly string[] {
  return text
    .slice(0, MAX_COMMAND)
    .split(/[^\w./@%^~*?+=:-]+/, MAX_WORDS)
    .filter(word => word !== '')
}
