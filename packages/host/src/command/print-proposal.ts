// What `belay learn` proposes, in words.
import type { LeftOut } from '../policy/learn/evidence.ts'
import type { Proposal } from '../policy/learn/propose-rules.ts'
import type { ReplayGroup } from '../policy/replay/replay-tally.ts'
import { type CommandIo, printLine } from '../terminal/io.ts'
import { paint } from '../terminal/style.ts'

const LEFT_SHOWN = 3

/** `newly`: what the rules would allow of what was recorded; null: there is no record. */
export function printProposal(io: CommandIo, proposal: Proposal, newly: readonly ReplayGroup[] | null): void {
  const { rules, left, used, refused, leftOut, actor } = proposal
  printLine(io.stdout, `${used} different calls were used, ${refused} refused. Rules that would allow what was used, for ${actor}:`)
  printLeftOut(io, leftOut)
  if (rules.length === 0) printLine(io.stdout, `  none: ${whyNone(proposal)}`)
  for (const { rule, calls, different, examples, question } of rules) {
    printLine(io.stdout, paint(io, 'green', `+ ${JSON.stringify(rule)}`))
    printLine(
      io.stdout,
      `    rests on ${calls === 1 ? '1 call' : `${calls} calls, ${different} different`}: ${examples.map(text => text.replaceAll('\n', ' ')).join('; ')}`,
    )
    if (question !== null) printLine(io.stdout, `    ${question}`)
  }
  printLeft(io, left)
  if (newly !== null && rules.length > 0) printNewly(io, newly)
  printLine(
    io.stdout,
    leftOut.refused === 0 ? 'Nothing that was refused becomes allowed.' : 'Nothing of the refused calls that were kept becomes allowed.',
  )
}

/** Of each reason a few. */
function printLeft(io: CommandIo, left: Proposal['left']): void {
  if (left.length === 0) return
  printLine(io.stdout, `${left.length === 1 ? '1 call stays as it is' : `${left.length} calls stay as they are`}:`)
  const byReason = new Map<string, string[]>()
  for (const { call, why } of left) byReason.set(why, [...(byReason.get(why) ?? []), call.replaceAll('\n', ' ')])
  for (const [why, calls] of byReason) {
    printLine(
      io.stdout,
      `  ${calls.slice(0, LEFT_SHOWN).join('; ')}${calls.length > LEFT_SHOWN ? `; and ${calls.length - LEFT_SHOWN} more` : ''}`,
    )
    printLine(io.stdout, `    ${why}`)
  }
}

function whyNone({ used, left, actor }: Proposal): string {
  if (used === 0) return `no call of ${actor} that ran was seen here`
  return left.length === 0 ? 'everything that was used is allowed already' : 'no rule that is narrow enough would allow what is left'
}

/** Each rule is held against the refused calls that are kept, so these must not be passed over in silence. */
function printLeftOut(io: CommandIo, { used, refused }: LeftOut): void {
  if (used + refused === 0) return
  printLine(
    io.stdout,
    `Too many different calls to keep: ${used} that were used and ${refused} that were refused were left out. Give a later --since.`,
  )
}

function printNewly(io: CommandIo, newly: readonly ReplayGroup[]): void {
  const calls = newly.reduce((sum, { count }) => sum + count, 0)
  printLine(io.stdout, `On what was recorded, ${calls} calls that were not allowed by a rule would be:`)
  for (const { rule, before, count, example } of newly) {
    printLine(
      io.stdout,
      `  ${count} by ${rule?.text ?? 'several rules'} (were ${before}), such as: ${example.tool} ${example.text.replaceAll('\n', ' ')}`,
    )
  }
}
