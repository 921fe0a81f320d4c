// Self-protection of commands: person-only verbs of Belay under any name, other programs on its socket, ending its
// process, and programs whose operands are protected files. Judged on the words of one unit; null = nothing to say.
import type { Word } from '../shell/shell-analysis.ts'
import { ANY_SIGN, DOT, K, wordSigns } from '../shell/signs.ts'
import { findProgram } from '../shell/table/find-program.ts'
import { dropText, leadingText } from '../shell/word.ts'
import { agentSetupVerbs, fileChangers, gitFileChangers, isInterpreter, launchers, socketOnlookers } from './guarded-command.ts'
import { isOwnName } from './own-name.ts'
import { givesOption, isGroup, isOwnVerb, ownCommand } from './own-verb.ts'
import { protectRemoved } from './protect-consumed.ts'
import { protectLaidOver } from './protect-laid-over.ts'
import { type OperandContext, protectOperand } from './protect-operand.ts'
import { type Protection, stricter } from './protect-path.ts'
import { protectProcess } from './protect-process.ts'

export function protectCommand(words: readonly Word[], context: OperandContext): Protection | null {
  const program = programName(words[0]?.value ?? null)
  if (program === null) return null
  const verb = protectVerb(program, words)
  const operands = stricter(
    stricter(protectOperands(program, words, context), protectRemoved(program, words, context)),
    protectLaidOver(program, words, context),
  )
  const { files, belayHome } = context.protectedPaths
  return stricter(stricter(verb, protectProcess(program, words, { files, belayHome })), stricter(protectSocket(program, words), operands))
}

/** The part that is about Belay itself: its verbs and its processes. */
export function protectOwn(words: readonly Word[], { protectedPaths: { files, belayHome } }: OperandContext): Protection | null {
  const program = programName(words[0]?.value ?? null)
  return program === null ? null : stricter(protectVerb(program, words), protectProcess(program, words, { files, belayHome }))
}

/** Which operands of this command are taken along with everything below them, not only as one name. */
export function treeTaker(words: readonly Word[]): (path: Word) => boolean {
  const program = programName(words[0]?.value ?? null)
  if (program === 'mv') {
    const last = words.at(-1)
    return path => path !== last
  }
  const isRecursive =
    program === 'rmdir' ||
    (program !== null &&
      (recursivePrograms.has(program) || removesTracked(words)) &&
      words.some(word => word.value !== null && /^(?:-(?=[a-zA-Z]*[rR])[a-zA-Z]*|--recursive|--delete.*)$/.test(word.value)))
  if (program === 'rsync' && words.some(word => /^--del(?:ete.*)?$/.test(word.value ?? ''))) {
    const last = words.at(-1)
    return path => path === last
  }
  return () => isRecursive
}

/** `git rm -r .`; with `--cached` the files stay. */
function removesTracked(words: readonly Word[]): boolean {
  return (
    programName(words[0]?.value ?? null) === 'git' &&
    words.some(({ value }) => value === 'rm') &&
    !words.some(({ value }) => value === '--cached')
  )
}

const recursivePrograms: ReadonlySet<string> = new Set(['rm', 'chmod', 'chown', 'chgrp', 'setfacl', 'chattr', 'srm'])

function programName(value: string | null): string | null {
  if (value === null || value === '') return null
  return value.slice(value.lastIndexOf('/') + 1).replace(OF_GNU, '')
}

/** Homebrew and BSD call them so. */
const OF_GNU = /^g(?=(?:rm|rmdir|mv|cp|ln|link|shred|chmod|chown|chgrp|touch|truncate|tee|unlink|install|dd)$)/

function protectVerb(program: string, words: readonly Word[]): Protection | null {
  const setup = agentSetupVerbs.get(program)
  const first = words[1]?.value
  if (setup !== undefined && typeof first === 'string' && setup.has(first)) {
    return { decision: 'ask', reason: `${program} ${first} changes what an agent runs; a person must agree` }
  }
  if (startsClient(program, words))
    return { decision: 'deny', reason: "Belay's hook client is called by the agent program itself, not by a command" }
  const rest = belayArguments(program, words)
  return rest === null ? null : protectOwnVerb(rest)
}

/** `~/.belay/bin/belay-hook`, `perl .../belay-hook`: an event made up by hand. */
function startsClient(program: string, words: readonly Word[]): boolean {
  if (program === HOOK_CLIENT) return true
  const first = words.find((word, at) => at > 0 && word.value?.startsWith('-') !== true)
  return programName(first?.value ?? null) === HOOK_CLIENT && (isInterpreter(program) || launchers.has(program))
}

const HOOK_CLIENT = 'belay-hook'

/** To what a described program is given such a name for: a folder, a project, a package. */
const NAMED_BY = /^(?:-[CpnwFt]|--(?:directory|project(?:-name)?|prefix|cwd|workspace|namespace|name|package|filter|tag|context))$/

/** `foo belay down`: a program that nobody described, or that starts others, may run what it is given. The verb itself refuses an agent too. */
export function protectCarried(program: string, words: readonly Word[]): Protection | null {
  const isDescribed = findProgram(program) !== undefined
  for (let at = 1; at < words.length - 1; at++) {
    if (!isOwnName(words[at]?.value ?? null) || (isDescribed && NAMED_BY.test(words[at - 1]?.value ?? ''))) continue
    const rest = words.slice(at + 1)
    const [first, ...others] = rest.filter(word => word.value === null || !word.value.startsWith('-')).slice(0, MAX_BEFORE_VERB)
    const isVerb = (word: Word | undefined): boolean =>
      typeof word?.value === 'string' && (isGroup(word.value) || isOwnVerb('command', word.value))
    const mayBeVerb = isVerb(first) || others.some(isVerb) || first?.value === null
    const found = mayBeVerb ? protectOwnVerb(rest) : null
    if (found !== null) return { decision: 'ask', reason: `${program} is given a command: ${found.reason}` }
  }
  return null
}

const MAX_BEFORE_VERB = 3

/** Judges every verb this may be: an option before the verb may take the first word as its value. */
function protectOwnVerb(words: readonly Word[]): Protection | null {
  // Empty words come from braces (`{,down}`); the shell drops them.
  const plain = words.flatMap((word, at) =>
    word.value === null || (word.value !== '' && !word.value.startsWith('-')) ? [{ value: word.value, at }] : [],
  )
  const [first] = plain
  const most = first !== undefined && first.at > 0 ? 3 : 1
  let found: Protection | null = null
  for (let at = 0; at < Math.min(most, plain.length); at += 1) {
    const [verb, sub] = plain.slice(at).map(word => word.value)
    // What follows an option may be its value; only what Belay knows as a verb is one.
    const isValue = at > 0 && typeof verb === 'string' && !isGroup(verb) && !isOwnVerb('command', verb)
    if (!isValue) found = stricter(found, protectVerbName(verb ?? null, sub, words))
  }
  return found
}

function protectVerbName(verb: string | null, sub: string | null | undefined, words: readonly Word[]): Protection | null {
  if (verb === null || (sub === null && isGroup(verb))) {
    return { decision: 'ask', reason: 'which Belay command this is depends on a value only the shell knows' }
  }
  const name = isGroup(verb) && typeof sub === 'string' ? `${verb} ${sub}` : verb
  const { user, personOptions } = ownCommand(name)
  if (user === 'person') return { decision: 'deny', reason: `"belay ${name}" is for people: run it in a terminal of your own` }
  if (user === 'host') return { decision: 'deny', reason: `"belay ${name}" is called by the agent program itself, not by a command` }
  if (personOptions.length === 0) return null
  const end = words.findIndex(word => word.value === '--')
  const values = (end < 0 ? words : words.slice(0, end)).map(word => word.value)
  const given = personOptions.find(option => values.some(value => value !== null && givesOption(value, option)))
  if (given !== undefined) {
    return { decision: 'deny', reason: `"belay ${name} ${given}" is for people: run it in a terminal of your own` }
  }
  return values.includes(null)
    ? { decision: 'ask', reason: `whether "belay ${name}" gets an option for people depends on a value only the shell knows` }
    : null
}

/** The words after Belay's name, or null when this does not start Belay. */
function belayArguments(program: string, words: readonly Word[]): readonly Word[] | null {
  let at = isOwnName(words[0]?.value ?? null) ? 0 : -1
  if (at < 0 && launchers.has(program)) at = words.findIndex((word, index) => index > 0 && isOwnName(word.value))
  if (at < 0) return null
  while (isOwnName(words[at + 1]?.value ?? null)) at += 1
  return words.slice(at + 1)
}

function protectSocket(program: string, words: readonly Word[]): Protection | null {
  if (socketOnlookers.has(program)) return null
  const signs = wordSigns(words)
  const speaks = words.some(({ value }, at) => {
    if (at === 0 || value === null || ((signs[at] ?? ANY_SIGN) & (DOT | K)) !== (DOT | K)) return false
    return /\.sock/i.test(value) && value.split('\n').some(namesSocket)
  })
  return speaks ? { decision: 'deny', reason: "only Belay itself may speak on the daemon's socket" } : null
}

function namesSocket(line: string): boolean {
  const at = line.search(/belay|mentu/i)
  return at >= 0 && /(?:daemon|shim)\.sock/i.test(line.slice(at))
}

function protectOperands(program: string, words: readonly Word[], context: OperandContext): Protection | null {
  const taker = program === 'git' ? takesUntracked(words) : null
  if (taker !== null)
    return {
      decision: 'ask',
      reason: `git ${taker} would take Belay's files along ${taker === 'sparse-checkout' ? 'where git tracks them' : 'where git does not track them'}`,
    }
  const changes =
    fileChangers.has(program) || (program === 'git' && words.some(word => word.value !== null && gitFileChangers.has(word.value)))
  if (!changes) return null
  let found: Protection | null = null
  const takesTree = treeTaker(words)
  for (const word of words.slice(1)) {
    if (found?.decision === 'deny') break
    if (leadingText(word).startsWith('-')) continue
    const name = /^[\w-]*=/.exec(leadingText(word))?.[0] ?? ''
    found = stricter(found, protectOperand(takesTree(word) ? 'tree' : 'write', dropText(word, name.length), context))
  }
  return found
}

/** The verb of git that takes files away that nobody names; null: none does. */
function takesUntracked(words: readonly Word[]): 'stash' | 'sparse-checkout' | null {
  const values = words.map(word => word.value ?? '')
  if (/^(?:set|init|reapply)$/.test(values[values.indexOf('sparse-checkout') + 1] ?? '') && values.includes('sparse-checkout'))
    return 'sparse-checkout'
  const stash = values.indexOf('stash')
  if (stash < 0 || LEAVES_FILES.test(values[stash + 1] ?? '')) return null
  return values.slice(stash).some(value => /^-[a-z]*[ua]|^--(?:i|al)/.test(value)) ? 'stash' : null
}

/** Verbs of `git stash` that put nothing away. */
const LEAVES_FILES = /^(?:list|show|pop|apply|drop|clear|branch|create|store)$/
