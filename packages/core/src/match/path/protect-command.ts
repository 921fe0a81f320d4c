// Self-protection of commands: person-only verbs of Belay under any name, other programs on its socket, ending its
// process, and programs whose operands are protected files. Judged on the words of one unit; null = nothing to say.
import type { Word } from '../shell/shell-analysis.ts'
import {
  agentSetupVerbs,
  belayNames,
  fileChangers,
  gitFileChangers,
  interpreters,
  launchers,
  personOnlyVerbs,
  processFinders,
  processKillers,
  serviceEnds,
  serviceKeepers,
  socketOnlookers,
} from './guarded-command.ts'
import { type ProtectedPaths, type Protection, protectPath, stricter } from './protect-path.ts'
import type { ResolvedPath } from './resolve-path.ts'

export interface ProtectCommandContext {
  readonly protectedPaths: ProtectedPaths
  /** Resolves a path where the command would. */
  readonly resolve: (path: string) => ResolvedPath
}

export function protectCommand(words: readonly Word[], context: ProtectCommandContext): Protection | null {
  const program = programName(words[0]?.value ?? null)
  if (program === null) return null
  const verb = protectVerb(program, words)
  const operands = protectOperands(program, words, context)
  // What ends its process or speaks on its socket names it, which next to no command does.
  const namesBelay = words.some((word, index) => index > 0 && word.value !== null && BELAY.test(word.value))
  if (!namesBelay) return stricter(verb, operands)
  return stricter(stricter(verb, protectProcess(program, words)), stricter(protectSocket(program, words), operands))
}

const BELAY = /belay|mentu/i

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
      recursivePrograms.has(program) &&
      words.some(word => word.value !== null && /^(?:-[a-zA-Z]*[rR][a-zA-Z]*|--recursive|--delete.*)$/.test(word.value)))
  return () => isRecursive
}

const recursivePrograms: ReadonlySet<string> = new Set(['rm', 'chmod', 'chown', 'chgrp', 'setfacl', 'chattr', 'srm'])

function programName(value: string | null): string | null {
  if (value === null || value === '') return null
  return value.slice(value.lastIndexOf('/') + 1)
}

function protectVerb(program: string, words: readonly Word[]): Protection | null {
  const setup = agentSetupVerbs.get(program)
  const first = words[1]?.value
  if (setup !== undefined && typeof first === 'string' && setup.has(first)) {
    return { decision: 'ask', reason: `${program} ${first} changes what an agent runs; a person must agree` }
  }
  const rest = belayArguments(program, words)
  if (rest === null) return null
  for (const verb of verbsOf(rest)) {
    if (verb === null) return { decision: 'ask', reason: 'which Belay command this is depends on a value only the shell knows' }
    if (personOnlyVerbs.has(verb)) return { decision: 'deny', reason: `"belay ${verb}" is for people, at a terminal or in the dashboard` }
  }
  return null
}

/** The words after Belay's name, or null when this does not start Belay. */
function belayArguments(program: string, words: readonly Word[]): readonly Word[] | null {
  let at = isBelay(words[0]?.value ?? null) ? 0 : -1
  if (at < 0 && launchers.has(program)) at = words.findIndex((word, index) => index > 0 && isBelay(word.value))
  if (at < 0) return null
  while (isBelay(words[at + 1]?.value ?? null)) at += 1
  return words.slice(at + 1)
}

function isBelay(value: string | null): boolean {
  if (value === null || !BELAY.test(value)) return false
  const name = value
    .replace(/^.*=(?=[@\w./-]*$)/, '')
    .replace(/(?<=.)@[\w.^~*-]+$/, '')
    .replace(/\.(?:m|c)?[jt]s$/, '')
    .toLowerCase()
  if (belayNames.has(name) || belayNames.has(name.slice(name.lastIndexOf('/') + 1))) return true
  return /(?:^|\/)@belay\/host\//.test(name)
}

/** Verbs this may be: one and two words long. An option before the verb may take the first word as its value. */
function verbsOf(words: readonly Word[]): (string | null)[] {
  const plain = words
    .map((word, index) => ({ value: word.value, index }))
    .filter(word => word.value === null || !word.value.startsWith('-'))
  const afterOption = plain[0] !== undefined && plain[0].index > 0
  const verbs: (string | null)[] = []
  for (let at = 0; at < (afterOption ? 3 : 1); at += 1) {
    const first = plain[at]
    if (first === undefined) break
    const second = plain[at + 1]?.value ?? null
    verbs.push(first.value)
    if (first.value !== null && second !== null) verbs.push(`${first.value} ${second}`)
  }
  return verbs
}

function protectProcess(program: string, words: readonly Word[]): Protection | null {
  if (processKillers.has(program)) return { decision: 'deny', reason: "agents may not end Belay's process" }
  if (processFinders.has(program)) return { decision: 'ask', reason: "looks for Belay's process" }
  const ends = serviceKeepers.has(program) && words.some(word => word.value !== null && serviceEnds.has(word.value))
  return ends ? { decision: 'deny', reason: "agents may not stop Belay's service" } : null
}

function protectSocket(program: string, words: readonly Word[]): Protection | null {
  if (socketOnlookers.has(program)) return null
  const speaks = words.slice(1).some(word => word.value !== null && /(?:belay|mentu).*(?:daemon|shim)\.sock/i.test(word.value))
  return speaks ? { decision: 'deny', reason: "only Belay itself may speak on the daemon's socket" } : null
}

function protectOperands(program: string, words: readonly Word[], context: ProtectCommandContext): Protection | null {
  if (interpreters.has(program)) {
    const mentions = words.some(word => word.value !== null && /\.belay\b|\.mentu\b|BELAY_HOME|\/etc\/belay\b/.test(word.value))
    if (mentions) return { decision: 'ask', reason: `the code given to ${program} mentions Belay's files` }
  }
  if (program === 'git' && cleansAll(words)) {
    return { decision: 'ask', reason: "git clean would take Belay's files along where git does not track them" }
  }
  const changes =
    fileChangers.has(program) || (program === 'git' && words.some(word => word.value !== null && gitFileChangers.has(word.value)))
  if (!changes) return null
  let found: Protection | null = null
  const takesTree = treeTaker(words)
  for (const word of words.slice(1)) {
    if (found?.decision === 'deny') break
    if (word.value === null) continue
    const path = word.value.replace(/^[\w-]*=/, '')
    const access = takesTree(word) ? 'tree' : 'write'
    if (!path.startsWith('-')) found = stricter(found, protectPath(access, context.resolve(path), context.protectedPaths))
  }
  return found
}

function cleansAll(words: readonly Word[]): boolean {
  const values = words.map(word => word.value ?? '')
  const isDry = values.some(value => /^-[a-z]*n|^--dry-run$/i.test(value))
  return !isDry && values.includes('clean') && values.some(value => /^-[a-z]*[dx]/i.test(value))
}
