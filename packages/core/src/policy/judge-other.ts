// A tool that nobody described: its own rules decide, and what its input may be (a command, a file, an address) is held against the
// deny and ask rules for such things. A guess allows nothing.
import { resolvePath } from '../match/path/resolve-path.ts'
import { isSpent } from '../match/shell/meter.ts'
import { quoteWords } from '../match/tool/command-text.ts'
import type { ToolField } from '../match/tool/tool-fields.ts'
import { type JudgeInput, judged } from './judge-part.ts'
import { judgeFile } from './judge-path.ts'
import { judgePattern } from './judge-pattern.ts'
import { judgeCommand } from './judge-shell.ts'
import { judgeName, judgeText, judgeUrl } from './judge-text.ts'
import type { PartJudgement, ToolCall } from './judgement.ts'

type CommandField = Extract<ToolField, { kind: 'command' }>

export function judgeOther(input: JudgeInput, fields: readonly ToolField[], directory: string | undefined): PartJudgement[] {
  const text = fields.find(field => field.kind === 'text')?.text
  const own = text === undefined ? judgeName(input) : judgeText(input, text)
  const cwd = directory === undefined ? input.context.cwd : resolvePath(directory, input.context).lexical
  const guessed = fields.flatMap(field => judgeGuess(input, field, cwd))
  return [own, ...guessed.filter(part => part.decision === 'deny' || part.decision === 'ask')]
}

function judgeGuess(input: JudgeInput, field: ToolField, cwd: string): readonly PartJudgement[] {
  switch (field.kind) {
    case 'path':
      return onlyAbout(field, text => judgeLikelyFile(input, text, field.access))
    case 'url':
      return onlyAbout(field, text => judgeUrl(asTool(input, 'WebFetch', { url: text }), text))
    case 'command':
      return judgeLikelyCommand(asTool(input, 'Bash', { command: field.text }), field, cwd)
    case 'pattern':
      return judgePattern(asTool(input, 'Grep', { glob: field.text }), field.text, field.base)
    case 'text':
      return []
  }
}

/** Of what only looks so, a rule counts that is about this one: not one for any, nor what is said where no rule is. */
function onlyAbout({ kind, text, likely }: GuessedField, judge: (text: string) => PartJudgement): readonly PartJudgement[] {
  const part = judge(text)
  if (likely === undefined) return [part]
  if (part.decision !== 'deny' && part.decision !== 'ask') return []
  const other = judge(kind === 'path' ? NO_FILE : NO_PLACE)
  return part.decision === other.decision && part.rule === other.rule ? [] : [askInstead(part)]
}

type GuessedField = Extract<ToolField, { kind: 'path' | 'url' }>

const NO_FILE = 'no-file-of-this-name'
const NO_PLACE = 'https://no-place-of-this-name.invalid/'

/** What fields of unknown tools mean is a guess, so a rule for files only asks here. */
function judgeLikelyFile(input: JudgeInput, path: string, access: 'read' | 'write'): PartJudgement {
  const part = { what: 'effect', source: path, span: null } as const
  const tool = access === 'read' ? 'Read' : 'Write'
  return judgeFile(input, { tool, access, path, base: input.context.cwd, needsAllow: false, isGuess: true, part })
}

/** Code and typed text need not be shell: that they cannot be read as such says nothing against them. */
function judgeLikelyCommand(input: JudgeInput, field: CommandField, cwd: string): readonly PartJudgement[] {
  const { text, likely, instead } = field
  const { parts, parser } = judgeCommand(input, text, cwd)
  if (likely === undefined) return parts
  // What nobody has read to its end may be anything.
  if (parser === 'refused' && isSpent(input.meter)) return parts.map(askInstead)
  const spoken = parser === 'ok' ? parts.filter(part => part.rule !== null || part.decision === 'deny') : []
  const certain = spoken.filter(part => part.match !== 'may').map(askInstead)
  if (likely === 'typed' || (certain.length === 0 && likely === 'look')) return certain
  if (likely === 'look') {
    const others = judgeCommand(input, instead ?? text, cwd).parts
    return certain.filter(({ rule }) => rule === null || !others.some(other => other.rule === rule))
  }
  return [...spoken, ...judgeCommand(input, quoteWords(['node', '-e', text]), cwd).parts.filter(part => part.rule !== null)]
}

/** A text that is typed somewhere may as well be a question about the command. */
function askInstead(part: PartJudgement): PartJudgement {
  if (part.decision !== 'deny') return part
  return judged(part, { decision: 'ask', match: 'may', reason: part.reason, ...(part.rule === null ? {} : { rule: part.rule }) })
}

/** The same call as rules for commands and addresses see it. */
function asTool(input: JudgeInput, tool: string, fields: ToolCall['input']): JudgeInput {
  return { ...input, call: { tool, input: fields } }
}
