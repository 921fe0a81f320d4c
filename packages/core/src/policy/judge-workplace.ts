// Whether a line leaves the agent in a folder where no hook can be started.
import { isInterpreter } from '../match/path/guarded-command.ts'
import { findUnseating } from '../match/path/protect-workplace.ts'
import type { ShellAnalysis } from '../match/shell/shell-analysis.ts'
import { baseName } from './flag-set.ts'
import { type JudgeInput, judged } from './judge-part.ts'
import type { PartJudgement } from './judgement.ts'

export function judgeWorkplace(input: JudgeInput, { units, ends }: ShellAnalysis): PartJudgement | null {
  const placed = units.map(({ words, input: sent, bases, source, span }) => {
    const program = baseName(words[0]?.value ?? '')
    return { program, words: sent !== undefined && isInterpreter(program) ? [...words, sent] : words, bases, source, span }
  })
  const found = findUnseating(placed, { cwd: input.context.cwd, ends: ends ?? null })
  if (found === undefined) return null
  const part = { what: 'unit', source: found.source, normal: found.source, span: found.span } as const
  const reason = `${found.source} takes away the folder that the agent works in, and without it no hook can be started`
  return judged(part, { decision: 'ask', reason })
}
