// Why a payload cannot be judged: the same words with the daemon and without it.
import type { PayloadProblem } from '@belay/core'
import { type DecodedEvent, factsOf } from '@belay/core/adapter'

export function whyUnread({ nativeEvent, agent }: DecodedEvent, problems: readonly PayloadProblem[]): string {
  return `the payload of ${nativeEvent} is not what ${factsOf(agent.id).name} sends: ${describeProblems(problems)}`
}

export function describeProblems(problems: readonly PayloadProblem[]): string {
  return problems.map(({ path, message }) => `${path} ${message}`.trim()).join('; ')
}
