// Commands that run what the same line wrote, linked, copied or named by an alias. The whole line was walked before, so that the order
// of its parts does not count.

import { editsText } from './call.ts'
import { isPart, placesOf } from './made-file.ts'
import { runCode } from './nested-code.ts'
import { namedAssignment } from './run-variable.ts'
import type { Unit, Word } from './shell-analysis.ts'
import { isShell } from './shell-program.ts'
import { findProgram } from './table/find-program.ts'
import { isSpent, type Place, report, type Walk } from './walk.ts'
import { baseName, dropText, joinWords, leadingText, textWord } from './word.ts'

/** Units that were found this way are looked at too, up to so many in all. */
const MAX_UNITS = 512

export function runMade(walk: Walk, place: Place): void {
  if (!walk.hasMade) return
  const { texts, names, aliases } = walk.made
  if (texts.size === 0 && names.length === 0 && aliases.size === 0) return
  for (let index = 0; index < Math.min(walk.units.length, MAX_UNITS) && !isSpent(walk); index++) {
    const unit = walk.units[index]
    if (unit === undefined) continue
    if (texts.size > 0) runLoadedFiles(walk, unit, place)
    const head = unit.words[0]?.value ?? null
    if (head === null) continue
    if (aliases.size > 0) runAlias(walk, unit, head, place)
    if (names.length > 0) runName(walk, unit, head, place)
    if (texts.size > 0) runText(walk, index, place)
  }
}

function runAlias(walk: Walk, unit: Unit, head: string, place: Place): void {
  const by = `alias ${head}`
  const code = walk.made.aliases.get(head)
  if (code === undefined || unit.behind.includes(by)) return
  const given = unit.words.slice(1)
  const plain = given.map(quoted)
  const replaced = followedWords(walk, code, given)
  for (const words of replaced.every((word, at) => word.value === plain[at]?.value) ? [plain] : [plain, replaced]) {
    const text = code.value === null ? code : joinWords([code, ...words])
    runCode(walk, { code: text, span: unit.span, by }, insideUnit(unit, by, place))
  }
}

/** Behind an alias that ends in a blank the next word may be an alias too, and so on from there: `alias g='git ' p=push; g p`. */
function followedWords({ made: { aliases } }: Walk, code: Word, given: readonly Word[]): readonly Word[] {
  let before: Word | undefined = code
  return given.map(word => {
    before = /\s$/.test(before?.value ?? '') ? aliases.get(word.value ?? '') : undefined
    return before ?? quoted(word)
  })
}

/** A word of the caller stays one word. */
function quoted(word: Word): Word {
  return word.value === null ? word : textWord(`'${word.value.replaceAll("'", "'\\''")}'`, word.source)
}

/** `./f` where `f` was made a link to or a copy of a program; `f` alone where that is found through PATH. */
function runName(walk: Walk, unit: Unit, head: string, place: Place): void {
  const paths = head.includes('/') ? placesOf({ scope: scopeOf(unit, place) }, textWord(head)) : null
  for (const { path, target } of walk.made.names) {
    if (target === null || !(paths === null ? baseName(path) === head : paths.includes(path))) continue
    const by = `the name ${path}`
    if (unit.behind.includes(by)) continue
    const words = [textWord(target), ...unit.words.slice(1)]
    const inner = insideUnit(unit, by, place)
    walk.runInvocation(walk, { words, assignments: [], span: unit.span, source: unit.source, direct: false, traits: [] }, inner)
  }
}

/** Other programs that run the file they are given. */
const RUNS_FILE: ReadonlySet<string> = new Set(
  (
    'make gmake just task ninja rake cmake awk gawk mawk nawk sed gsed at batch crontab expect gdb lldb vi vim nvim ex emacs osascript ' +
    'psql mysql mariadb sqlite3 xargs parallel ansible-playbook gradle ant scons tmux screen bc dc m4 octave R Rscript java dotnet'
  ).split(' '),
)

const PACKAGE = ['package.json', '.npmrc', '.yarnrc', '.yarnrc.yml']

const GRADLE = ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts']

/** Files that a program runs without being told. */
const OWN_FILES: Readonly<Record<string, readonly string[]>> = {
  make: ['Makefile', 'makefile', 'GNUmakefile'],
  gmake: ['Makefile', 'makefile', 'GNUmakefile'],
  just: ['justfile', 'Justfile', '.justfile'],
  task: ['Taskfile.yml', 'Taskfile.yaml'],
  rake: ['Rakefile'],
  ninja: ['build.ninja'],
  cmake: ['CMakeLists.txt'],
  npm: PACKAGE,
  pnpm: PACKAGE,
  yarn: PACKAGE,
  bun: PACKAGE,
  npx: PACKAGE,
  pytest: ['conftest.py', 'pytest.ini', 'setup.cfg', 'pyproject.toml'],
  cargo: ['build.rs', '.cargo/config.toml'],
  git: ['.git/config', '.gitconfig'],
  ...Object.fromEntries('foreman honcho heroku nf overmind hivemind goreman shoreman'.split(' ').map(name => [name, ['Procfile']])),
  tox: ['tox.ini'],
  nox: ['noxfile.py'],
  invoke: ['tasks.py'],
  inv: ['tasks.py'],
  fab: ['fabfile.py'],
  gulp: ['gulpfile.js'],
  grunt: ['Gruntfile.js'],
  composer: ['composer.json'],
  lefthook: ['lefthook.yml'],
  vagrant: ['Vagrantfile'],
  gradle: GRADLE,
  gradlew: GRADLE,
  mvn: ['pom.xml'],
  ant: ['build.xml'],
  meson: ['meson.build'],
  scons: ['SConstruct'],
  mise: ['mise.toml', '.mise.toml'],
  direnv: ['.envrc'],
  bundle: ['Gemfile'],
  deno: ['deno.json', 'deno.jsonc'],
}

function runText(walk: Walk, index: number, place: Place): void {
  const unit = walk.units[index]
  const [head, ...rest] = unit?.words ?? []
  if (unit === undefined || head === undefined || head.value === null) return
  const name = baseName(head.value)
  const isCode = isShell(name) || name === '.' || name === 'source' || head.value.includes('/')
  const runsGiven = isCode || findProgram(name)?.operands === 'script' || RUNS_FILE.has(name)
  const isItself = head.value.includes('/') && !isShell(name)
  const own = (OWN_FILES[name] ?? []).map(file => textWord(file))
  for (const word of isItself ? [head] : [...(runsGiven ? rest : []), ...own]) {
    for (const path of placesOf({ scope: scopeOf(unit, place) }, word)) {
      const texts = textsOf(walk, path)
      if (texts === undefined) continue
      const whole = isCode && !isForeign(texts) ? texts.filter(text => !isPart(text)) : []
      // An editor puts more into what another has changed.
      const others = (whole.length === 0 ? texts : texts.filter(isPart)).filter(text => !(editsText(name) && isPart(text)))
      if (whole.length > 0) runTexts(walk, unit, { path, texts: whole }, place)
      if (others.length > 0) walk.units[index] = withCode(walk.units[index] ?? unit, path, others)
    }
  }
}

/** `BASH_ENV=s bash x`, `export ENV=s`: shells run that file before anything else. */
function runLoadedFiles(walk: Walk, unit: Unit, place: Place): void {
  const set = unit.words.flatMap(word => {
    const assigned = namedAssignment(leadingText(word))
    return assigned === null ? [] : [{ name: assigned.name, value: dropText(word, assigned.length) }]
  })
  for (const { name, value } of [...unit.assignments, ...set]) {
    if (name !== 'BASH_ENV' && name !== 'ENV') continue
    for (const path of placesOf({ scope: scopeOf(unit, place) }, value)) {
      const texts = textsOf(walk, path)
      if (texts !== undefined) runTexts(walk, unit, { path, texts }, place)
    }
  }
}

/** What was written there, or to the file that it is a copy of or a link to. */
function textsOf({ made: { texts, names } }: Walk, path: string): readonly (Word | null)[] | undefined {
  return texts.get(path) ?? names.flatMap(name => (name.path === path && name.target !== null ? [texts.get(name.target)] : []))[0]
}

/** `#!/usr/bin/python3`: another language, which is looked through only. */
function isForeign(texts: readonly (Word | null)[]): boolean {
  const first = texts[0]?.value ?? ''
  const program = /^#!\s*(?:\S*\/env\s+(?:-\S+\s+)*)?(\S+)/.exec(first)?.[1]
  return program !== undefined && !isShell(baseName(program))
}

function runTexts(walk: Walk, unit: Unit, { path, texts }: { path: string; texts: readonly (Word | null)[] }, place: Place): void {
  // What runs it may write it anew.
  const by = texts.length === 1 ? `the file ${path}` : `the file ${path} (${texts.length} texts)`
  if (unit.behind.includes(by)) return
  const known = texts.filter(text => text !== null)
  if (known.length < texts.length) report(walk, 'opaque', `${path} is written by this very line, and runs as code`, unit.span)
  // Whether one text ends its line, the next one does not know; nor whether it comes behind it or in its place.
  const codes = known.length > 1 ? [joinTexts(known, '\n'), joinTexts(known, ''), ...known] : known
  for (const code of codes) {
    // What needs a rule of its own needs it in a file too, as behind `sh -c`.
    runCode(walk, { code, span: unit.span, by }, { ...insideUnit(unit, by, place), role: unit.role, isGuess: false })
  }
}

function joinTexts(texts: readonly Word[], separator: string): Word {
  const [only] = texts
  if (texts.length === 1 && only !== undefined) return only
  return textWord(
    texts.map(text => text.value ?? text.parts.map(part => (part.kind === 'unknown' ? ' ' : part.value)).join('')).join(separator),
  )
}

/** What is not known of it may be anything, as code of `python -c` may. */
function withCode(given: Unit, path: string, texts: readonly (Word | null)[]): Unit {
  const known = texts.filter(text => text !== null)
  const why = `${path} is written by this very line, and runs as code`
  const unit: Unit = known.length === texts.length ? given : { ...given, traits: [...given.traits, { kind: 'not-covered', why }] }
  if (known.length === 0) return unit
  const input = joinTexts(unit.input === undefined ? known : [unit.input, ...known], '\n')
  return { ...unit, input, traits: [...unit.traits, { kind: 'written-code' }] }
}

function insideUnit(unit: Unit, by: string, place: Place): Place {
  return {
    ...place,
    scope: scopeOf(unit, place),
    role: 'deny-only',
    isGuess: true,
    behind: [...unit.behind, by],
    certain: false,
    span: unit.span,
    depth: place.depth + 1,
  }
}

function scopeOf({ bases }: Unit, { scope }: Place): Place['scope'] {
  return { bases, failedBases: [], variables: new Map(), functions: scope.functions }
}
