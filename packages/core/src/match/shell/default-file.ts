// Files that programs read or write without being told: `dotenv list` shows `.env`, `vercel env pull` writes `.env.local`.
import { type Call, touchArgument } from './call.ts'
import { leadingText, textWord } from './word.ts'

interface DefaultFile {
  /** The sub-commands that do it; one of each place. */
  readonly verbs?: readonly RegExp[]
  readonly access: 'read' | 'write'
  readonly path: string
  /** Words that say another file, or something else. */
  readonly unless?: RegExp
  /** A further operand names another. */
  readonly isNamedLast?: true
}

const NAMED = /^(?:-[ef]|--(?:env-?)?file|--env-path|--path)(?:=|$)|^-[ef]./
const READS_ENV: DefaultFile = { access: 'read', path: '.env', unless: NAMED }
const CHANGES_ENV: DefaultFile = { ...READS_ENV, access: 'write', verbs: [/^(?:set|unset|encrypt|decrypt|rotate)$/] }
const SHOWS_COMPOSE: DefaultFile = { access: 'read', path: '.env', unless: /^--(?:env-file|no-interpolate)/ }

const FILES: ReadonlyMap<string, readonly DefaultFile[]> = new Map(
  Object.entries<readonly DefaultFile[]>({
    dotenv: [READS_ENV, CHANGES_ENV],
    dotenvx: [READS_ENV, CHANGES_ENV],
    'dotenv-vault': [READS_ENV, { ...CHANGES_ENV, verbs: [/^pull$/] }],
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
  ['dotenv-cli', 'dotenv'],
  ['python-dotenv', 'dotenv'],
])

/** More words before the verb stand in no command that people write. */
const MAX_WORDS = 24

export function touchDefaultFiles(call: Call): void {
  const files = FILES.get(SAME.get(call.name) ?? call.name)
  if (files === undefined) return
  const given = call.words.slice(1, MAX_WORDS).map(word => leadingText(word))
  const operands = given.filter(text => !text.startsWith('-'))
  for (const { verbs = [], access, path, unless, isNamedLast } of files) {
    // The value of an option may stand before a verb.
    const at = verbs.reduce(
      (from, verb) => (from < 0 ? from : operands.findIndex((text, index) => index >= from && verb.test(text)) + 1 || -1),
      0,
    )
    if (at < 0 || (unless !== undefined && given.some(text => unless.test(text)))) continue
    const named = isNamedLast ? operands[at] : undefined
    touchArgument(call, access, textWord(named ?? path), 'deny-only')
  }
}
