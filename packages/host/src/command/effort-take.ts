// belay effort take MACHINE/ID: goes on here with an effort of another machine of the team. Who is first has it; what its last session handed
// over is given to the agent at its next tool call.
import { isObject } from '@belay/core/value'
import { findHome } from '../config/home.ts'
import { sayRefused } from '../team/hub-client.ts'
import { createHubSession } from '../team/hub-session.ts'
import { readMembership } from '../team/membership.ts'
import { type CommandIo, type ExitCode, fail, printLine } from '../terminal/io.ts'
import { NO_TEAM } from './hub-token.ts'
import { runVerb } from './state-call.ts'

export interface EffortTakeOptions {
  readonly task?: string
  readonly force?: boolean
  readonly json?: boolean
}

const ANSWER_MS = 30_000

export async function runEffortTake(effort: string, options: EffortTakeOptions, io: CommandIo): Promise<ExitCode> {
  const home = findHome(io.env)
  const membership = readMembership(home)
  if (!membership) return fail(io, NO_TEAM)
  const ask = createHubSession(home, membership, AbortSignal.timeout(ANSWER_MS))
  const agent = io.env.AGENT_ID || null
  const answer = await ask('POST /v1/efforts/take', { effort, agent, force: options.force === true }).catch(
    error => `the hub at ${membership.url} does not answer: ${String(error)}`,
  )
  if (typeof answer === 'string') return fail(io, answer)
  const taken = answer.body.effort
  if (answer.status !== 200 || !isObject(taken)) {
    printLine(io.stderr, `belay: ${sayRefused(answer)}`)
    return 1
  }
  return goOn(taken, { effort, options }, io)
}

interface Going {
  readonly effort: string
  readonly options: EffortTakeOptions
}

async function goOn(taken: Readonly<Record<string, unknown>>, { effort, options }: Going, io: CommandIo): Promise<ExitCode> {
  const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
  const { skill, phase, handOver } = taken
  let id: number | null = null
  const started = await runVerb<{ readonly id: number; readonly taskDir: string }>(io, {
    method: 'effort.start',
    params: {
      skill,
      mode: text(taken.mode),
      title: text(taken.title),
      description: text(taken.description),
      task: options.task,
      metadata: { takenFrom: effort },
      ...(io.env.PATH === undefined ? {} : { path: io.env.PATH }),
    },
    json: options.json,
    render: value => {
      id = value.id
      return `effort ${value.id} goes on with ${effort}: ${String(skill)}, in ${value.taskDir}`
    },
    value: value => {
      id = value.id
      return { ...value, takenFrom: effort }
    },
  })
  if (started !== 0 || id === null) return started
  const quiet = { ...io, stdout: { write: () => undefined } }
  if (text(phase) !== undefined)
    await runVerb(quiet, { method: 'effort.phase', params: { phase, force: true, proof: { takenFrom: effort } }, render: () => '' })
  if (text(handOver) === undefined) return 0
  return runVerb(quiet, {
    method: 'effort.inject',
    params: { id, text: `Handed over by ${effort}:\n${String(handOver)}` },
    render: () => '',
  })
}
