// An explanation for a terminal: the command with each part underlined in its verdict, the reasons below.
import type { ExplainedPart, Explanation } from './explain.ts'
import { showHidden } from './hidden-character.ts'

export interface RenderOptions {
  readonly color: boolean
  /** Told each colour before it is written, so that whoever prints the text knows it from what others wrote. */
  own?(sequence: string): string
}

export function renderExplanation(explanation: Explanation, { color, own = sequence => sequence }: RenderOptions): string {
  const paint = (decision: string, text: string): string =>
    color ? `${own(`\u001B[${COLORS[decision] ?? '0'}m`)}${text}${own('\u001B[0m')}` : text
  const lines: string[] = [`${paint(explanation.decision, explanation.decision)}: ${showHidden(explanation.reason)}`, '']
  if (explanation.command !== null) lines.push(...drawCommand(explanation.command, explanation.parts, paint), '')
  for (const [index, part] of explanation.parts.entries()) lines.push(...describePart(part, index, paint))
  lines.push(`parser ${explanation.parser ?? 'not used'}, policy ${explanation.policyHash}`)
  return `${lines.join('\n')}\n`
}

type Paint = (decision: string, text: string) => string

const COLORS: Readonly<Record<string, string>> = { allow: '32', ask: '33', deny: '31', default: '33', neutral: '2', none: '2' }

/** Underlined by verdict: `-` allowed or neutral, `?` uncovered or ask, `^` denied. */
const MARKS: Readonly<Record<string, string>> = { allow: '-', neutral: '-', default: '?', ask: '?', deny: '^' }
const STRENGTH = '-?^'

function drawCommand(command: string, parts: readonly ExplainedPart[], paint: Paint): string[] {
  const marks = markPositions(command, parts)
  const lines: string[] = []
  let start = 0
  for (const line of command.split('\n')) {
    const under = marks.slice(start, start + line.length)
    lines.push(`  ${printable(line)}`)
    if (under.some(mark => mark !== ' ')) lines.push(`  ${paintMarks(under, paint)}`)
    start += line.length + 1
  }
  return lines
}

/** The strictest verdict at every position; an inner part hides the outer one it stands in unless that is stricter. */
function markPositions(command: string, parts: readonly ExplainedPart[]): string[] {
  const marks = new Array<string>(command.length).fill(' ')
  for (const part of parts) {
    if (part.start === null || part.end === null) continue
    const mark = MARKS[part.decision] ?? ' '
    for (let at = part.start; at < Math.min(part.end, command.length); at++) {
      if (STRENGTH.indexOf(mark) > STRENGTH.indexOf(marks[at] ?? ' ')) marks[at] = mark
    }
  }
  return marks
}

const MARK_COLORS: Readonly<Record<string, string>> = { '-': 'allow', '?': 'ask', '^': 'deny' }

function paintMarks(marks: readonly string[], paint: Paint): string {
  const runs =
    marks
      .join('')
      .trimEnd()
      .match(/-+|\?+|\^+| +/g) ?? []
  return runs.map(run => (run.startsWith(' ') ? run : paint(MARK_COLORS[run.charAt(0)] ?? 'none', run))).join('')
}

type Rule = NonNullable<ExplainedPart['rule']>

/** An id that nobody gave it says nothing beside its words and its place. */
function describeRule({ id, effect, text, place }: Rule): string {
  const name = isGivenId(id) || place === null ? `${id}: ` : ''
  return `${name}${effect} ${text}${place === null ? '' : ` at ${place}`}`
}

function isGivenId(id: string): boolean {
  return !/^(allow|ask|deny)-\d+-\d+$/.test(id)
}

/** By its words and its place: then a line of its own would say it again. */
function isNamedIn(reason: string, { id, text, place }: Rule): boolean {
  return !isGivenId(id) && place !== null && reason.includes(text) && reason.includes(place)
}

function describePart(part: ExplainedPart, index: number, paint: Paint): string[] {
  const lines = [`${index + 1}. ${paint(part.decision, labelOf(part))}  ${showHidden(firstLine(part.source))}`]
  lines.push(`   ${showHidden(part.reason)}`)
  if (part.rule !== null && !isNamedIn(part.reason, part.rule)) lines.push(`   rule ${describeRule(part.rule)}`)
  if (part.what === 'unit' && part.normal !== part.source) lines.push(`   read as: ${showHidden(firstLine(part.normal))}`)
  if (part.lexicalPath !== null) lines.push(`   path ${showHidden(part.lexicalPath)}${realPathOf(part)}`)
  return lines
}

function labelOf(part: ExplainedPart): string {
  if (part.decision === 'default') return 'no rule'
  return part.match === 'may' ? `${part.decision} (may match)` : part.decision
}

function realPathOf(part: ExplainedPart): string {
  if (part.realPath === part.lexicalPath) return ''
  return part.realPath === null ? ', which file that is cannot be told' : `, really ${showHidden(part.realPath)}`
}

function firstLine(text: string): string {
  const end = text.indexOf('\n')
  return end === -1 ? text : `${text.slice(0, end)} ...`
}

/** Control and direction characters would let a command draw its own explanation. One mark for each keeps the underline in place. */
function printable(text: string): string {
  return text.replace(/\t/g, ' ').replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD')
}
