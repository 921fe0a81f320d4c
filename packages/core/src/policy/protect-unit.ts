// Self-protection of commands, beyond their file effects: verbs for people only, the daemon's socket and process, and programs that are
// handed Belay's own files in ways no table knows.

import { agentOf } from '../match/path/agent-program.ts'
import { changesFiles, handedBy, handsOurs, isHander } from '../match/path/handed-list.ts'
import { findHunter } from '../match/path/hunted-process.ts'
import { isOwnName } from '../match/path/own-name.ts'
import { protectAgentLine, protectAgentPlace, protectAgentStart } from '../match/path/protect-agent-start.ts'
import { protectAlias } from '../match/path/protect-alias.ts'
import { protectCode, protectTold } from '../match/path/protect-code.ts'
import { protectCarried, protectCommand, protectOwn } from '../match/path/protect-command.ts'
import { protectConsumed } from '../match/path/protect-consumed.ts'
import { protectFileDriven } from '../match/path/protect-file-driven.ts'
import { seeksSecrets } from '../match/path/protect-find.ts'
import { protectGitExport, protectGitSetting } from '../match/path/protect-git-setting.ts'
import { protectLed } from '../match/path/protect-laid-over.ts'
import { protectLater } from '../match/path/protect-later.ts'
import { namesProtected, type OperandContext, onlyLooks, protectMention, protectOperand } from '../match/path/protect-operand.ts'
import { protectPackage } from '../match/path/protect-package.ts'
import { type Protection, stricter } from '../match/path/protect-path.ts'
import { protectPeek } from '../match/path/protect-peek.ts'
import { endsUnknown, looksForOurs } from '../match/path/protect-process.ts'
import { findsOurs, removesFound, searchesSecrets } from '../match/path/protect-search.ts'
import { protectExported, protectVariables } from '../match/path/protect-variable.ts'
import { decodeUnit } from '../match/shell/file-uri.ts'
import { spend } from '../match/shell/meter.ts'
import type { Unit, Word, WordList } from '../match/shell/shell-analysis.ts'
import { isShell } from '../match/shell/shell-program.ts'
import { ANY_SIGN, mayNameOurs, wordSigns } from '../match/shell/signs.ts'
import { textWord } from '../match/shell/word.ts'
import { baseName } from './flag-set.ts'
import { type JudgeInput, judged, resolveAt } from './judge-part.ts'
import type { PartJudgement } from './judgement.ts'
import { protectReckoned } from './protect-reckoned.ts'
import { protectScript } from './protect-script.ts'

export function protectUnit(input: JudgeInput, unit: Unit): Protection | null {
  const found = protectSpelt(input, unit)
  const decoded = found?.decision === 'deny' ? null : decodeUnit(unit)
  return decoded === null ? found : stricter(found, protectSpelt(input, decoded))
}

function protectSpelt(input: JudgeInput, unit: Unit): Protection | null {
  const context = operandContext(input, unit)
  const program = baseName(unit.words[0]?.value ?? '')
  const texts = unit.input === undefined ? unit.words : [...unit.words, unit.input]
  const named = stricter(protectAlias(program, unit.words, context), protectCode(program, texts, context.protectedPaths))
  const led = stricter(
    stricter(protectLed(unit.words, unit.assignments, context), protectVariables(program, unit, context)),
    protectConsumed(program, unit.words, context),
  )
  const started =
    protectStart(unit, context) ?? protectScript({ input, unit, context, said: protectSaid, saidTogether: protectSaidTogether })
  const found = stricter(stricter(protectCommand(unit.words, context), named), stricter(led, started))
  if (found !== null) return found
  if (removesFound(unit.words) && findsOurs(program, unit.words, context)) {
    return { decision: 'ask', reason: `${unit.source} would remove Belay's files along with others` }
  }
  if (searchesSecrets(program, unit.words, context))
    return { decision: 'ask', reason: `${unit.source} is aimed at Belay's keys and tokens` }
  if (onlyLooks(program, unit.words)) return protectMove(program, unit, context) ?? protectLook(program, unit, context)
  return (
    protectMention(program, unit.words, context) ??
    protectTyped(program, unit.words, context) ??
    (WRITERS.test(program) ? null : protectCarried(program, unit.words)) ??
    protectFileDriven(program, unit.words) ??
    (isFollowed(unit, program) ? null : protectTold(program, unit.words, context.protectedPaths))
  )
}

function protectStart({ words, assignments }: Unit, context: OperandContext): Protection | null {
  const program = baseName(words[0]?.value ?? '')
  const setting = program === 'git' ? protectGitSetting(words, assignments) : protectGitExport(program, words)
  const later = protectLater(program, words) ?? protectPeek(program, words)
  const agent = protectAgentStart(program, words, assignments) ?? protectAgentPlace(program, words, context)
  return agent ?? protectPackage(program, words) ?? later ?? setting
}

/** What counts of a command in a script: verbs of Belay, its processes, its files by name, and agents without hooks. */
function protectSaid(said: Unit, context: OperandContext): Protection | null {
  const unit = decodeUnit(said) ?? said
  const program = baseName(unit.words[0]?.value ?? '')
  return (
    protectStart(unit, context) ??
    protectOwn(unit.words, context) ??
    (onlyLooks(program, unit.words) ? null : protectMention(program, unit.words, context))
  )
}

function protectSaidTogether(units: readonly Unit[], text: string, { protectedPaths }: OperandContext): Protection | null {
  const hunted = findHunted(units)
  return hunted === null ? (protectReckoned(units, text, protectedPaths) ?? protectAgentLine(units)) : protectHunted(hunted)
}

/** What it is told is text for people, or commands and calls that are judged for themselves. */
function isFollowed({ role }: Unit, program: string): boolean {
  return (
    role === 'deny-only' ||
    isShell(program) ||
    /^(?:eval|trap|alias|source|\.)$/.test(program) ||
    WRITERS.test(program) ||
    agentOf(program) !== undefined
  )
}

/** Programs to which a command is only text. */
const WRITERS =
  /^(?:git|task|todo|linear|slackcat|wall|write|dialog|whiptail|zenity|gh|hub|glab|npm|jira|slack|say|logger|notify-send|mail|tldr|man|hg|svn|curl|http)$/
const TYPED = /(?<![^\s;&|(/])((?:belay|mentu)[ \t]+[^;&|\n]*)/

/** `screen -X stuff 'belay down'`: a command in one word, handed to a program that may type or run it. */
function protectTyped(program: string, words: readonly Word[], context: OperandContext): Protection | null {
  const signs = wordSigns(words)
  for (let at = 1; at < words.length; at++) {
    const value = words[at]?.value ?? null
    if (!mayNameOurs(signs[at] ?? ANY_SIGN) || WRITERS.test(program)) continue
    const typed = value !== null && (value.includes('belay') || value.includes('mentu')) ? TYPED.exec(value)?.[1] : undefined
    const found =
      typed === undefined
        ? null
        : protectCommand(
            typed
              .trim()
              .split(/\s+/)
              .map(text => textWord(text)),
            context,
          )
    if (found !== null) return { decision: 'ask', reason: `${program} is given a command: ${found.reason}` }
  }
  return null
}

function operandContext(input: JudgeInput, { bases }: Unit): OperandContext {
  return { protectedPaths: input.places.protectedPaths, bases, resolve: (path, base) => resolveAt(input, path, base) }
}

/** `cd ~/.bel*`: what comes after it is relative to a place that the text does not tell. */
function protectMove(program: string, { words }: Unit, context: OperandContext): Protection | null {
  if (program !== 'cd' && program !== 'pushd') return null
  for (const word of words.slice(1)) {
    const found = word.value === null || word.glob ? protectOperand('tree', word, context) : null
    if (found !== null) return { decision: 'ask', reason: found.reason }
  }
  return null
}

/** git reads files that lie outside of what it keeps (`git diff --no-index`). */
function protectLook(program: string, { words }: Unit, context: OperandContext): Protection | null {
  if (program !== 'git') return null
  for (const word of words.slice(1)) {
    const found = word.value === null || word.glob ? protectOperand('read', word, context) : null
    if (found !== null) return found
  }
  return null
}

/**
 * One command names protected files, and another acts on what is known only when it runs (`ls -d .bel* | xargs rm -r`): both are harmless
 * alone.
 */
export function protectLine(input: JudgeInput, given: readonly Unit[]): PartJudgement | null {
  const units = given.map(unit => decodeUnit(unit) ?? unit)
  const hunted = findHunted(units)
  if (hunted !== null) {
    const part = { what: 'unit', source: hunted.source, normal: hunted.source, span: hunted.span } as const
    return judged(part, protectHunted(hunted))
  }
  const exported = protectExported(units, unit => operandContext(input, unit))
  if (exported !== null) {
    const part = { what: 'unit', source: exported.source, normal: exported.source, span: exported.span } as const
    return judged(part, { decision: 'ask', reason: `${exported.source} names protected files, and the line hands it to programs` })
  }
  const bare = protectAgentLine(units)
  if (bare !== null) return judged({ what: 'unit', source: units[0]?.source ?? '', normal: '', span: units[0]?.span ?? null }, bare)
  const acting = units.filter(({ traits }) => traits.some(({ kind }) => kind === 'more-arguments' || kind === 'unclear-command'))
  if (acting.length === 0) return protectHanded(input, units)
  // Who only looks at the configuration of an agent harms nobody; a key is harmed by a look.
  const ours = acting.every(unit => onlyLooks(programOf(unit), unit.words))
  const isUnclear = acting.some(({ traits }) => traits.some(({ kind }) => kind === 'unclear-command'))
  const named = units.find(unit => {
    const context = operandContext(input, unit)
    return (
      namesProtected(unit.words, ours, context) ||
      (!ours && findsOurs(programOf(unit), unit.words, context)) ||
      seeksSecrets(programOf(unit), unit.words, context) ||
      (isUnclear && startsOwn(unit))
    )
  })
  if (named === undefined) return protectHanded(input, units)
  const part = { what: 'unit', source: named.source, normal: named.source, span: named.span } as const
  return judged(part, {
    decision: 'ask',
    reason: `${named.source} names protected files, and another command of the line may act on them`,
  })
}

/** `tree -fia . | xargs rm`: whoever lists the files, they are changed without being named. */
function protectHanded(input: JudgeInput, units: readonly Unit[]): PartJudgement | null {
  const handed = findHanded(input, units)
  if (handed === undefined) return null
  const part = { what: 'unit', source: handed.source, normal: handed.source, span: handed.span } as const
  return judged(part, { decision: 'ask', reason: `${handed.source}: the list of files that it is handed may name Belay's` })
}

/** What one command before it takes, and each of its words. */
const FEEDING_WORK = 20

function findHanded(input: JudgeInput, units: readonly Unit[]): Unit | undefined {
  return units.find((unit, index) => {
    const list = handedList(unit, index)
    if (list === null || list === 'file') return list === 'file'
    const feeding = units.slice(list.from, list.to).map(each => {
      spend(FEEDING_WORK + FEEDING_WORK * each.words.length)
      return {
        program: programOf(each),
        words: each.words,
        isFed: each.traits.some(({ kind }) => kind === 'more-arguments'),
        context: operandContext(input, each),
      }
    })
    return handsOurs(feeding)
  })
}

/** Where the command gets the names of the files that it changes; null: it changes none, or gets none. */
function handedList(unit: Unit, index: number): WordList | null {
  const { words, traits } = unit
  const program = programOf(unit)
  if (isHander(program)) return handedBy(words, index)
  const list = traits.flatMap(trait => (trait.kind === 'more-arguments' && trait.list !== undefined ? [trait.list] : []))[0]
  return list !== undefined && changesFiles(program, words) ? list : null
}

function programOf({ words }: Unit): string {
  return baseName(words[0]?.value ?? '')
}

/** `$(which belay) down`: a command that nobody knows, beside one that names Belay's program. */
function startsOwn(unit: Unit): boolean {
  return (
    /^(?:which|whereis|type|command|echo|printf|hash|readlink|realpath)$/.test(programOf(unit)) &&
    unit.words.slice(1).some(word => isOwnName(word.value))
  )
}

/** `ps aux | grep node | awk '{print $2}' | xargs kill`, `kill $(lsof -t -c node)`. */
function findHunted(units: readonly Unit[]): Unit | null {
  const ends = units.some(({ words, traits }) =>
    endsUnknown(
      baseName(words[0]?.value ?? ''),
      words,
      traits.some(({ kind }) => kind === 'more-arguments'),
    ),
  )
  if (!ends) return null
  const named = units.find(({ words }) => words.slice(1).some(looksForOurs))
  return named ?? findHunter(units.map(unit => ({ ...unit, program: programOf(unit) })))
}

function protectHunted({ source }: Unit): Protection {
  return { decision: 'ask', reason: `${source} may find Belay's process, and the line ends what it finds` }
}
