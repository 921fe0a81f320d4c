// Wrappers: commands that run another command. Finds the inner one and says who needs the allow.
import { applyOption, moveBase } from './apply-option.ts'
import { type Call, isBlocked, listedWords, runInner, touchArgument, vouchFor } from './call.ts'
import { environmentTraits } from './environment.ts'
import { noteName } from './made-file.ts'
import { programsNamed } from './named-program.ts'
import { opaqueCode, runCode } from './nested-code.ts'
import type { ParsedArguments, ParsedOption } from './parse-options.ts'
import type { EnvAssignment, UnitTrait, Word } from './shell-analysis.ts'
import { splitString } from './split-string.ts'
import { factsOf } from './table/facts.ts'
import { findProgram } from './table/find-program.ts'
import type { Program } from './table/program.ts'
import { changeInput, copyScope, type Place } from './walk.ts'
import { dropText, joinWords, leadingText, textWord } from './word.ts'
import { appendArguments, listOf, touchPiped } from './xargs.ts'

export function runWrapper(call: Call, program: Program, parsed: ParsedArguments): void {
  const from = call.walk.units.length
  startInner(call, program, parsed)
  for (const words of furtherCommands(call, program)) runInner(call, { words, behind: call.name, role: 'deny-only' })
  if (program.wrapper === 'gate') vouchFor(call, from)
}

/** Names of tools that stand before the command that they are for: `mise exec node@20 -- cat x`. */
const NAMES_TOOLS: ReadonlySet<string> = new Set(['mise', 'rtx', 'proto', 'devbox', 'hermit'])

function furtherCommands({ name, words }: Call, { takesRest }: Program): readonly (readonly Word[])[] {
  const at = words.findIndex(
    ({ value }) => value !== null && (takesRest?.test(value) === true || (NAMES_TOOLS.has(name) && value === '--')),
  )
  const rest = at < 0 ? [] : words.slice(at + 1)
  // One that holds blanks is a command line.
  return rest.length === 0 || /\s/.test(leadingText(rest[0] ?? textWord(''))) ? [] : [rest]
}

function startInner(call: Call, program: Program, parsed: ParsedArguments): void {
  const place = innerPlace(call, program, parsed)
  const { assignments, rest } = splitAssignments(call, program, parsed)
  call.unit.traits.push(...unclearTraits(call, program, parsed, rest))
  const split = parsed.options.find(option => option.use === 'env-split')?.value
  const entry = parsed.options.find(option => option.name === '--entrypoint')?.value
  const given = split ? [...splitString(split), ...rest] : entry ? [...(listedWords(entry) ?? [entry]), ...rest] : rest
  if (program.skipUse === 'image' && entry === undefined) guessEntry(call, parsed, rest, place)
  const inner = program.wrapper === 'gate' ? namedCommand(call.name, given) : given
  if (inner.length === 0 || program.operands === undefined || isQuestion(call, parsed)) {
    runWrapperAlone(call, program, parsed)
    return
  }
  if (program.wrapper === 'transparent' && !isBlocked(call.unit)) call.unit.role = 'deny-only'
  if (program.operands === 'shell') {
    runRemote(call, program, inner, place)
    return
  }
  if (program.operands === 'shells') {
    for (const code of inner)
      runCode(call.walk, { code: scriptRun(call.name, code), span: call.unit.span, by: call.name }, behind(place, call.name))
    return
  }
  if (program.operands === 'data' && program.startsShell && furtherCommands(call, program).length === 0) runShellInput(call)
  if (program.operands !== 'command') return
  const traits: readonly UnitTrait[] = [
    ...call.invocation.traits.filter(trait => trait.kind !== 'neutral'),
    ...environmentTraits(call.invocation.assignments, call.walk.context),
    ...(program.appends ? [{ kind: 'more-arguments', ...listOf(call, parsed) } as const] : []),
  ]
  if (program.appends) touchPiped(call, inner, parsed)
  for (const words of program.appends ? appendArguments(call, inner, parsed) : [inner])
    runInner(call, { words, behind: call.name, assignments, traits, place })
}

/** `concurrently npm:build`, `run-p lint build`. */
function scriptRun(launcher: string, code: Word): Word {
  if (/^(?:npm-)?run-(?:all2?|s|p)$/.test(launcher)) return joinWords([textWord('npm run'), code])
  const [, manager, script] = /^(npm|pnpm|yarn|bun):(\S+)/.exec(code.value ?? '') ?? []
  return manager === undefined || script === undefined ? code : textWord(`${manager} run ${script}`, code.source)
}

/** Many images hold one program, named like them, that takes all words as its own. */
function guessEntry(call: Call, parsed: ParsedArguments, rest: readonly Word[], place: Place): void {
  const named = parsed.options.find(option => option.name === '--image')?.value
  const at = parsed.operands[0] ?? call.words.length
  const image = named ?? call.words[at]
  // Behind the image nothing is for the launcher.
  const given = named ? rest : call.words.slice(at + 1)
  for (const name of image?.value == null ? [] : programsNamed(image.value)) {
    if (!isKnown(name) && isKnown(given[0]?.value ?? '')) continue
    const first = call.walk.units.length
    runInner(call, { words: [textWord(name), ...given], behind: call.name, role: 'deny-only', place: { ...place, isGuess: true } })
    if (leadingText(given[0] ?? textWord('')).startsWith('-')) vouchFor(call, first)
  }
}

/** `docker run alpine rm x`: what is given is a command. */
function isKnown(name: string): boolean {
  return findProgram(name) !== undefined || factsOf(name) !== undefined
}

/** `npx npm@latest publish` runs npm, `hatch run test:python` runs python; npm takes its own options up to `--` (`npm exec tsx --yes -- -e x`). */
function namedCommand(launcher: string, words: readonly Word[]): readonly Word[] {
  const [head, ...rest] = words
  if (head === undefined) return words
  const spelled = launcher === 'hatch' ? head.value?.replace(/^[\w.+-]+:/, '') : head.value
  const name =
    spelled == null ? null : (/^((?:@[^/@]+\/)?[^/@=]+)(?:@|==).*$/.exec(spelled)?.[1] ?? (spelled === head.value ? null : spelled))
  const command = name === null ? head : textWord(name, head.source)
  const end = launcher === 'npm' ? rest.findIndex(word => word.value === '--') : -1
  if (end < 0) return command === head ? words : [command, ...rest]
  const own = rest.slice(0, end).filter(word => !leadingText(word).startsWith('-'))
  return [command, ...own, ...rest.slice(end + 1)]
}

/** Options act first: some run code, some move, some make the inner command unclear. */
function innerPlace(call: Call, program: Program, parsed: ParsedArguments): Place {
  const staysInShell = call.name === 'command' || call.name === 'builtin'
  let place: Place = staysInShell ? call.place : { ...call.place, scope: copyScope(call.place.scope) }
  if (program.wrapper === 'gate') place = { ...place, role: 'deny-only' }
  for (const index of program.skipUse === 'write' || program.skipUse === 'lock' ? parsed.operands.slice(0, program.skip) : [])
    touchArgument(call, 'write', call.words[index] as Word, program.skipUse === 'write' ? 'full' : 'deny-only')
  const root = call.name === 'chroot' ? call.words[parsed.operands[0] ?? 0] : undefined
  // What it starts sees that folder as `/`.
  if (root !== undefined) noteName(call.walk, call.place, { path: textWord('/'), source: root, kind: 'same', isDirectory: false })
  for (const option of parsed.options) {
    if (option.use === 'directory' && option.value) place = moveBase(place, option.value)
    else if (option.use === 'project-directory') place = applyOption({ ...call, place }, option, parsed)
    else if (option.use === 'shell' || option.use === 'words') applyOption({ ...call, place }, option, parsed)
    else applyOption(call, option, parsed)
  }
  return place
}

function splitAssignments(
  call: Call,
  program: Program,
  parsed: ParsedArguments,
): { assignments: readonly EnvAssignment[]; rest: readonly Word[] } {
  const all = parsed.operands.slice(program.skip ?? 0).map(index => call.words[index] as Word)
  // `env - x` is `env -i x`.
  const operands = program.assigns && all[0]?.value === '-' ? all.slice(1) : all
  const assignments: EnvAssignment[] = []
  while (program.assigns && assignments.length < operands.length) {
    const word = operands[assignments.length] as Word
    const name = /^([^-=][^=]*)=/.exec(leadingText(word))?.[1]
    if (name === undefined) break
    assignments.push({ name, value: dropText(word, name.length + 1) })
  }
  return { assignments, rest: operands.slice(assignments.length) }
}

/** Why the inner command may not be where it seems. */
function unclearTraits(call: Call, program: Program, parsed: ParsedArguments, rest: readonly Word[]): readonly UnitTrait[] {
  const traits: UnitTrait[] = []
  for (const option of parsed.unknowns) traits.push({ kind: 'unknown-wrapper-option', option })
  const before = call.words.slice(1, call.words.length - rest.length)
  const unknown = before.find(word => word.value === null && word.parts.some(part => part.kind === 'unknown' && part.splits))
  if (unknown) traits.push({ kind: 'unknown-wrapper-option', option: unknown.source })
  if (program.wrapper === 'transparent' && parsed.options.some(isDangerous))
    traits.push({ kind: 'not-covered', why: `${call.name} has an option that changes what runs` })
  return traits
}

function isDangerous(option: ParsedOption): boolean {
  return option.use === 'danger' || option.use === 'danger-value' || (option.use === 'unset' && option.value?.value === 'PATH')
}

/** `command -v git` only says what would run. */
function isQuestion(call: Call, parsed: ParsedArguments): boolean {
  return call.name === 'command' && parsed.options.some(option => option.name === '-v' || option.name === '-V')
}

/** `env`, `command -v git`, `exec 3>log`: the wrapper is all there is. */
function runWrapperAlone(call: Call, program: Program, parsed: ParsedArguments): void {
  if (call.name === 'exec') changeInput(call.place)
  if (program.startsShell && parsed.options.every(option => option.use !== 'shell')) runShellInput(call)
  if (call.unit.traits.length > 0) return
  if (isQuestion(call, parsed) || (call.name === 'exec' && call.words.length === 1)) call.unit.traits.push({ kind: 'neutral' })
}

/** `ssh host <<EOF`, `su <<EOF`: the shell that starts reads its commands from there. */
function runShellInput(call: Call): void {
  const { stdin } = call.place
  if (stdin.kind === 'inherited') return
  const code = stdin.kind === 'file' ? null : stdin.text
  if (code === null) opaqueCode(call.walk, call.name, 'a pipe or file', { span: call.unit.span, place: call.place })
  else runCode(call.walk, { code, span: call.unit.span, by: call.name }, { ...behind(call.place, call.name), role: 'deny-only' })
}

/** `ssh host words`, `watch words`: joined and read by a shell. tmux and others start several words as they stand (`tmux neww sh -c 'x y'`). */
function runRemote(call: Call, program: Program, inner: readonly Word[], place: Place): void {
  const by = call.name
  const role = program.wrapper === 'gate' ? 'deny-only' : place.role
  runCode(call.walk, { code: joinWords(inner), span: call.unit.span, by }, { ...behind(place, by), role })
  if (inner.length > 1 && program.danger === undefined && inner.some(word => word.value === null || /\s/.test(word.value)))
    runInner(call, { words: inner, behind: by, role: 'deny-only', place })
}

function behind(place: Place, name: string): Place {
  return { ...place, behind: [...place.behind, name] }
}
