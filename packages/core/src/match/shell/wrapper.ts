// Wrappers: commands that run another command. Finds the inner one and says who needs the allow.
import { applyOption, moveBase } from './apply-option.ts'
import { type Call, isBlocked, runInner, touchArgument } from './call.ts'
import { environmentTraits } from './environment.ts'
import { opaqueCode, runCode } from './nested-code.ts'
import type { ParsedArguments, ParsedOption } from './parse-options.ts'
import { foundUse } from './reader/find.ts'
import type { EnvAssignment, UnitTrait, Word } from './shell-analysis.ts'
import { splitString } from './split-string.ts'
import type { Program } from './table/program.ts'
import { copyScope, type Place } from './walk.ts'
import { dropText, joinWords, leadingText, makeWord, suppliedWords, supplyToken } from './word.ts'

export function runWrapper(call: Call, program: Program, parsed: ParsedArguments): void {
  const place = innerPlace(call, program, parsed)
  const { assignments, rest } = splitAssignments(call, program, parsed)
  const traits = unclearTraits(call, program, parsed, rest)
  call.unit.traits.push(...traits)
  const split = parsed.options.find(option => option.use === 'env-split')?.value
  const inner = split ? [...splitString(split), ...rest] : rest
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
    for (const code of inner) runCode(call.walk, { code, span: call.unit.span, by: call.name }, behind(place, call.name))
    return
  }
  if (program.operands !== 'command') return
  if (program.appends) touchPiped(call, inner, parsed)
  const more: readonly UnitTrait[] = program.appends ? [{ kind: 'more-arguments' }] : []
  runInner(call, {
    words: program.appends ? appendArguments(call, inner, parsed) : inner,
    behind: call.name,
    assignments,
    traits: [
      ...call.invocation.traits.filter(trait => trait.kind !== 'neutral'),
      ...environmentTraits(call.invocation.assignments, call.walk.context),
      ...more,
    ],
    place,
  })
}

/** Options act first: some run code, some move, some make the inner command unclear. */
function innerPlace(call: Call, program: Program, parsed: ParsedArguments): Place {
  const staysInShell = call.name === 'command' || call.name === 'builtin'
  let place: Place = staysInShell ? call.place : { ...call.place, scope: copyScope(call.place.scope) }
  if (program.wrapper === 'gate') place = { ...place, role: 'deny-only' }
  for (const index of program.skipUse ? parsed.operands.slice(0, program.skip) : [])
    touchArgument(call, 'write', call.words[index] as Word, 'full')
  for (const option of parsed.options) {
    if (option.use === 'directory' && option.value) place = moveBase(place, option.value)
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
  const hole = before.find(word => word.value === null && word.parts.some(part => part.kind === 'hole' && part.splits))
  if (hole) traits.push({ kind: 'unknown-wrapper-option', option: hole.source })
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
  if (program.startsShell && parsed.options.every(option => option.use !== 'shell')) runShellInput(call)
  if (call.unit.traits.length > 0) return
  if (isQuestion(call, parsed) || (call.name === 'exec' && call.words.length === 1)) call.unit.traits.push({ kind: 'neutral' })
}

/** `ssh host <<EOF`, `su <<EOF`: the shell that starts reads its commands from there. */
function runShellInput(call: Call): void {
  const { stdin } = call.place
  if (stdin.kind === 'inherited') return
  const code = stdin.kind === 'file' ? null : stdin.text
  if (code === null) opaqueCode(call.walk, call.name, 'a pipe or file', call.unit.span, call.place)
  else runCode(call.walk, { code, span: call.unit.span, by: call.name }, { ...behind(call.place, call.name), role: 'deny-only' })
}

/** `ssh host words`, `watch words`: joined and read by a shell. */
function runRemote(call: Call, program: Program, inner: readonly Word[], place: Place): void {
  const by = call.name
  const role = program.wrapper === 'gate' ? 'deny-only' : place.role
  runCode(call.walk, { code: joinWords(inner), span: call.unit.span, by }, { ...behind(place, by), role })
}

function behind(place: Place, name: string): Place {
  return { ...place, behind: [...place.behind, name] }
}

/** What comes through the pipe is appended; where it is known (`echo -rf x | xargs rm`) as what it is. */
function appendArguments(call: Call, inner: readonly Word[], parsed: ParsedArguments): readonly Word[] {
  const replace = parsed.options.find(isReplacing)
  if (!replace) return [...inner, ...pipedWords(call, parsed), makeWord([suppliedWords], '...')]
  return supplyToken(inner, replace.value?.value || '{}')
}

function isReplacing({ name }: ParsedOption): boolean {
  return name === '-I' || name === '-i' || name === '-J'
}

/** `find . -name .env | xargs cat`. */
function touchPiped(call: Call, inner: readonly Word[], parsed: ParsedArguments): void {
  const { stdin } = call.place
  if (foundUse(inner) === null || parsed.options.some(option => option.name === '-a')) return
  const names = stdin.kind === 'pipe' ? stdin.names : []
  // Without -I the words of a known text are arguments already.
  const words = parsed.options.some(isReplacing) ? pipedWords(call, parsed) : []
  for (const name of [...names, ...words]) touchArgument(call, 'read', name, 'deny-only')
}

/** A longer text stays what it is without this: words that are known only at run time. */
const MAX_PIPED = 4096

function pipedWords({ place: { stdin } }: Call, parsed: ParsedArguments): readonly Word[] {
  const text = stdin.kind === 'text' || stdin.kind === 'pipe' ? stdin.text : null
  if (text === null || text.value === null || text.value.length > MAX_PIPED) return []
  return parsed.options.some(option => option.name === '-a') ? [] : splitString(text)
}
