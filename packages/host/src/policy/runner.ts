// Programs that run what they are given: shells, interpreters, launchers, and verbs of other programs that start one (`docker exec c ...`).
// A rule with a `*` where that stands allows everything.
import { LAUNCHER_HEADS, RUNNERS } from './prove/carrier.ts'

/** They read code from a file or a line: interpreters and shells, beside those that `prove` knows. */
const INTERPRETERS = new Set(
  (
    'sh bash zsh dash ksh fish csh tcsh ash rbash pwsh powershell cmd cscript wscript source python pypy ipython perl ruby jruby irb pry php node nodejs tsx ts-node ' +
    'deno bun lua luajit awk gawk mawk nawk jshell java javaw kotlin scala groovy clojure dart swift R Rscript julia octave tclsh wish expect guile racket sbcl clisp ocaml ' +
    'ghci runghc runhaskell erl escript elixir iex raku osascript wine mono gnuplot m4'
  ).split(' '),
)

/** They can start a shell or change anything, if not by their first word. */
const CAN_DO_ANYTHING = new Set(
  'sed gdb lldb vim vi nvim emacs ed ex less man script psql mysql sqlite bc find parallel su rm dd curl wget at batch crontab rsh telnet nc ncat socat'.split(
    ' ',
  ),
)

/** Verbs that run what follows them, and how many words stand between: an image, a host, a directory. */
export const VERBS_THAT_RUN: ReadonlyMap<string, number> = new Map([
  ...['docker', 'podman', 'nerdctl'].flatMap(
    program =>
      [
        [`${program} run`, 1],
        [`${program} exec`, 1],
        [`${program} container run`, 1],
        [`${program} container exec`, 1],
        [`${program} compose run`, 1],
        [`${program} compose exec`, 1],
      ] as const,
  ),
  ...['docker-compose run', 'docker-compose exec', 'kubectl exec', 'oc exec', 'lxc exec', 'incus exec', 'ssh', 'gcloud compute ssh'].map(
    verb => [verb, 1] as const,
  ),
  ...['direnv exec', 'aws-vault exec', 'kubectl debug', 'oc rsh'].map(verb => [verb, 1] as const),
  ...['npx', 'pnpx', 'bunx', 'uvx', 'npm exec', 'npm x', 'pnpm exec', 'pnpm dlx', 'yarn exec', 'yarn dlx', 'bun x', 'bun run'].map(
    verb => [verb, 0] as const,
  ),
  ...['uv run', 'uv tool run', 'pipx run', 'poetry run', 'pipenv run', 'hatch run', 'pdm run', 'rye run', 'conda run'].map(
    verb => [verb, 0] as const,
  ),
  ...[
    'bundle exec',
    'rbenv exec',
    'rvm do',
    'composer exec',
    'mise exec',
    'asdf exec',
    'nix run',
    'heroku run',
    'op run',
    'doppler run',
  ].map(verb => [verb, 0] as const),
])
const LONGEST_VERB = 3

/** `python3.11`, `/usr/bin/lua5.4`: under whichever version and path, it is the same program. */
export function plainName(program: string): string {
  return program.slice(program.lastIndexOf('/') + 1).replace(/[-.\d]+$/, '')
}

const RUN_BY_NAME = new Set([...RUNNERS].map(plainName))
/** Of those, the ones that start the very next word. `git` does not: `git bisect run` does. */
const STARTS_NEXT = new Set([...LAUNCHER_HEADS].filter(head => !head.includes(' ')))
/** The shortest first. */
const HEADS = [...LAUNCHER_HEADS].sort((a, b) => a.length - b.length)

/** Only what was seen is allowed of it, never the program as a whole. */
export function runsAnything(name: string): boolean {
  return INTERPRETERS.has(name) || CAN_DO_ANYTHING.has(name) || RUN_BY_NAME.has(name)
}

/** How many words of a command belong to the verb that runs the rest of them, with what stands between; null: it has no such verb. */
export function wordsOfVerb(words: readonly string[]): number | null {
  const [program = '', ...rest] = words
  const plain = [plainName(program), ...rest]
  for (let length = Math.min(LONGEST_VERB, words.length); length > 0; length--) {
    const between = VERBS_THAT_RUN.get(plain.slice(0, length).join(' '))
    if (between !== undefined) return length + between
  }
  return null
}

/** What may follow these words, where they run whatever does; null: they say themselves what they run. */
export function givenAfter(words: readonly string[]): string | null {
  const [program = ''] = words
  const own = wordsOfVerb(words)
  if (own !== null) {
    if (words.length < own) return 'any-place any-program'
    const inner = words.slice(own)
    return inner.every(isOption) ? 'any-program' : givenAfter(inner)
  }
  const name = plainName(program)
  if (INTERPRETERS.has(name)) return words.slice(1).every(isOption) ? 'any-file' : null
  if (STARTS_NEXT.has(name) && words.slice(1).every(isOption)) return 'any-program'
  const line = words.join(' ')
  const head = HEADS.find(each => each === line || each.startsWith(`${line} `))
  return head === undefined ? null : `${head.slice(line.length)} any-program`.trimStart()
}

function isOption(word: string): boolean {
  return word.startsWith('-')
}
