// belay capture, commit, claim, release, annotate, evidence, submit, approve, reject, reopen, dismiss, close, link, triage.
import type { Commitment, Memory } from '../commitment/board.ts'
import type { OperationName } from '../commitment/operation.ts'
import type { CommandIo, ExitCode } from '../terminal/io.ts'
import { visibleText } from '../terminal/visible.ts'
import { findCaller } from './commit-caller.ts'
import { runVerb } from './state-call.ts'

export interface OperationOptions {
  readonly target?: string
  readonly words?: readonly string[]
  readonly source?: string
  readonly relation?: string
  readonly tag?: readonly string[]
  readonly tier?: string
  readonly review?: boolean
  readonly kind?: string
  readonly status?: string
  readonly url?: string
  readonly log?: string
  readonly json?: boolean
}

interface Done {
  readonly actor: string
  readonly commitment: Commitment | null
  readonly memory: Memory | null
}

export function runOperation(name: OperationName, options: OperationOptions, io: CommandIo): Promise<ExitCode> {
  const { words, tag, json, ...given } = options
  const text = words?.join(' ').trim()
  return runVerb<Done>(io, {
    method: `commitments.${name}`,
    // Also what is null: it stands against what the environment of this command says.
    params: { ...given, ...findCaller(io), tags: tag ?? [], ...(text === undefined || text === '' ? {} : { text }) },
    json,
    render: done => render(name, done),
  })
}

function render(name: OperationName, { actor, commitment, memory }: Done): string {
  if (commitment !== null) {
    const { id, state, title, claimedBy, resolution } = commitment
    const who = state === 'closed' ? (resolution === null ? '' : `, ${resolution}`) : claimedBy === null ? '' : ` by ${claimedBy}`
    return `${id}  ${state}${who}  ${visibleText(title)}`
  }
  return memory === null ? `${name}: done as ${actor}` : `${memory.id}  ${visibleText(memory.text)}`
}
