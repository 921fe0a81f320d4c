// Files that programs read or write without being told: `dotenv list` shows `.env`, `vercel env pull` writes `.env.local`.
import { type Call, touchArgument } from './call.ts'
import { dropText, leadingText, textWord } from './word.ts'

interface DefaultFile {
  /** The sub-commands that do it; one of each place. */
  readonly verbs?: readonly RegExp[]
  readonly access: 'read' | 'write'
  readonly path: string
  /** Words that say another file, or something else. */
  readonly unless?: RegExp
  /** No other word stands before the verb. */
  readonly isFirst?: true
  /** A further operand names another. */
  readonly isNamedLast?: true
}

const NAMED = /^(?:-[ef]|--(?:env-?)?file|--env-path|--path)(?:=|$)|^-[ef]./
const READS_ENV: DefaultFile = { access: 'read', path: '.env', unless: NAMED }
const CHANGES_ENV: DefaultFile = { ...READS_ENV, access: 'write', verbs: [/^(?:set|unset|encrypt|decrypt|rotate)$/] }
const SHOWS_COMPOSE: DefaultFile = { access: 'read', path: '.env', unless: /^--(?:env-file|no-interpolate)/ }

/** Keys of Laravel stand in `.env`. */
const ARTISAN = /^(?:key:generate|env:decrypt|env:encrypt)$/
const LARAVEL: DefaultFile = { access: 'write', path: '.env', unless: /^--(?:show|env|filename)/ }

const FILES: ReadonlyMap<string, readonly DefaultFile[]> = new Map(
  Object.entries<readonly DefaultFile[]>({
    dotenv: [READS_ENV, CHANGES_ENV],
    dotenvx: [READS_ENV, CHANGES_ENV],
    'dotenv-vault': [READS_ENV, { ...CHANGES_ENV, verbs: [/^pull$/] }],
    prisma: [{ access: 'write', path: '.env', verbs: [/^init$/], isFirst: true }],
    convex: [{ access: 'write', path: '.env.local', verbs: [/^dev$/], isFirst: true }],
    php: [{ ...LARAVEL, verbs: [/^(?:.*\/)?artisan$/, ARTISAN] }],
    artisan: [{ ...LARAVEL, verbs: [ARTISAN] }],
    python: [
      { ...READS_ENV, verbs: [/^dotenv$/] },
      { ...READS_ENV, access: 'write', verbs: [/^dotenv$/, /^(?:set|unset)$/] },
    ],
    nf: [{ ...READS_ENV, verbs: [/^run$/] }],
    heroku: [{ ...READS_ENV, verbs: [/^local:run$/] }],
    godotenv: [READS_ENV],
    shdotenv: [READS_ENV],
    'env-cmd': [READS_ENV],
    foreman: [{ ...READS_ENV, verbs: [/^run$/] }],
    honcho: [{ ...READS_ENV, verbs: [/^run$/] }],
    direnv: [{ access: 'read', path: '.envrc', verbs: [/^(?:exec|export|dump)$/] }],
    vercel: [
      { access: 'write', path: '.env.local', verbs: [/^env$/, /^pull$/], isNamedLast: true },
      { access: 'write', path: '.vercel/.env.development.local', verbs: [/^pull$/], unless: /^env$/ },
    ],
    docker: [{ ...SHOWS_COMPOSE, verbs: [/^compose$/, /^(?:config|convert)$/] }],
    podman: [{ ...SHOWS_COMPOSE, verbs: [/^compose$/, /^(?:config|convert)$/] }],
    'docker-compose': [{ ...SHOWS_COMPOSE, verbs: [/^(?:config|convert)$/] }],
    'podman-compose': [{ ...SHOWS_COMPOSE, verbs: [/^(?:config|convert)$/] }],
  }),
)
const SAME: ReadonlyMap<string, string> = new Map([
  ['vc', 'vercel'],
  ['python3', 'python'],
  ['dotenv-cli', 'dotenv'],
  ['python-dotenv', 'dotenv'],
])

/** `dotenv -f x set A 1`, `--file=x`, `-fx`. */
function touchNamed(call: Call, at: number): void {
  const word = call.words[at]
  if (word === undefined) return
  const text = leadingText(word)
  const equals = text.indexOf('=')
  const named = equals > 0 ? dropText(word, equals + 1) : /^-[^-]./.test(text) ? dropText(word, 2) : call.words[at + 1]
  if (named !== undefined) touchArgument(call, 'write', named, 'deny-only')
}

/** More words before the verb stand in no command that people write. */
const MAX_WORDS = 24

export function touchDefaultFiles(call: Call): void {
  const files = FILES.get(SAME.get(call.name) ?? call.name)
  if (files === undefined) return
  const given = call.words.slice(1, MAX_WORDS).map(word => leadingText(word))
  const operands = given.filter(text => !text.startsWith('-'))
  for (const { verbs = [], access, path, unless, isNamedLast, isFirst } of files) {
    // The value of an option may stand before a verb.
    const at = verbs.reduce(
      (from, verb) => (from < 0 ? from : operands.findIndex((text, index) => index >= from && verb.test(text)) + 1 || -1),
      0,
    )
    if (at < 0 || (isFirst && at !== 1)) continue
    const other = unless === undefined ? -1 : given.findIndex(text => unless.test(text))
    if (other >= 0) {
      if (access === 'write') touchNamed(call, other + 1)
      continue
    }
    const named = isNamedLast ? operands[at] : undefined
    touchArgument(call, access, textWord(named ?? path), 'deny-only')
  }
}
