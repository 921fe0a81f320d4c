// belay team approvals | decide: what waits for a person on the machines of the team, by the hub, for somebody who may decide there.
import { errorText, isObject } from '@belay/core/value'
import { findHome } from '../config/home.ts'
import { callHub, sayRefused } from '../team/hub-client.ts'
import { readMembership } from '../team/membership.ts'
import { type CommandIo, type ExitCode, fail, printJson, printLine } from '../terminal/io.ts'
import { escapeForTerminal } from '../terminal/visible.ts'
import { NO_TEAM, NO_TOKEN, readHubToken, type TokenOption } from './hub-token.ts'

interface Options extends TokenOption {
  readonly json?: boolean
}

export async function runTeamApprovals(options: Options & { readonly all?: boolean }, io: CommandIo): Promise<ExitCode> {
  const answer = await ask(options, `GET /v1/approvals${options.all === true ? '' : '?state=pending'}`, io)
  if (typeof answer === 'string') return fail(io, answer)
  const approvals = Array.isArray(answer.approvals) ? answer.approvals.filter(isObject) : []
  if (options.json) {
    printJson(io, { approvals })
    return 0
  }
  if (approvals.length === 0) printLine(io.stdout, 'nothing waits')
  for (const { machine, machineName, id, state, facts, expiresAt } of approvals) {
    const { actor, tool, input, reason } = isObject(facts) ? facts : {}
    printLine(io.stdout, `${id}  ${state}  ${escapeForTerminal(String(machineName))} (${machine})  until ${expiresAt}`)
    printLine(io.stdout, `  ${escapeForTerminal(`${actor} ${tool} ${JSON.stringify(input)}`)}`)
    printLine(io.stdout, `  ${escapeForTerminal(String(reason))}`)
  }
  return 0
}

export interface DecideOptions extends Options {
  readonly note?: string
}

export async function runTeamDecide(
  { machine, id, decision }: { readonly machine: string; readonly id: string; readonly decision: string },
  options: DecideOptions,
  io: CommandIo,
): Promise<ExitCode> {
  if (decision !== 'allow' && decision !== 'deny') return fail(io, `a decision is allow or deny, this one is ${JSON.stringify(decision)}`)
  const body = { machine, id, decision, ...(options.note !== undefined && { note: options.note }) }
  const answer = await ask(options, 'POST /v1/approvals/decide', io, body)
  if (typeof answer === 'string') return fail(io, answer)
  if (options.json) printJson(io, answer)
  else printLine(io.stdout, `${id} is ${answer.state}`)
  return 0
}

async function ask(options: TokenOption, request: string, io: CommandIo, body?: unknown) {
  const membership = readMembership(findHome(io.env))
  if (!membership) return NO_TEAM
  const token = readHubToken(options, io)
  if (token === undefined) return NO_TOKEN
  const answer = await callHub({ hub: membership, request, token, ...(body !== undefined && { body }) }).catch(
    error => `the hub at ${membership.url} does not answer: ${errorText(error)}`,
  )
  if (typeof answer === 'string') return answer
  return answer.status === 200 ? answer.body : sayRefused(answer)
}
