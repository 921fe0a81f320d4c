// belay effort start | phase | finish | inject | list | show: one run of a skill, across all the sessions it takes.
import { ownCommand } from '../config/own-command.ts'
import { type CommandIo, type ExitCode, fail, hint } from '../terminal/io.ts'
import { renderTable } from '../terminal/table.ts'
import { parseObject, renderFields, runVerb } from './state-call.ts'

export interface EffortStartOptions {
  readonly mode?: string
  readonly task?: string
  readonly title?: string
  readonly description?: string
  readonly keywords?: string
  readonly for?: string
  readonly metadata?: string
  readonly json?: boolean
}

interface EffortAnswer {
  readonly id: number
  readonly skill: string
  readonly phase: string | null
  readonly taskDir: string
  readonly artifacts: readonly string[]
  readonly log: string
  readonly nextSkills: readonly string[]
  readonly missing: readonly string[]
}

export async function runEffortStart(skill: string, options: EffortStartOptions, io: CommandIo): Promise<ExitCode> {
  const metadata = options.metadata === undefined ? null : parseObject(options.metadata)
  if (metadata?.ok === false) return fail(io, `--metadata cannot be used: ${metadata.why}`)
  return runVerb<EffortAnswer>(io, {
    method: 'effort.start',
    params: {
      skill,
      mode: options.mode,
      task: options.task,
      title: options.title,
      description: options.description,
      hostTask: options.for,
      ...(options.keywords === undefined ? {} : { keywords: options.keywords.split(',').map(word => word.trim()) }),
      ...(metadata === null ? {} : { metadata: metadata.value }),
      ...(io.env.PATH === undefined ? {} : { path: io.env.PATH }),
    },
    json: options.json,
    render: ({ id, phase, taskDir, log, missing }) =>
      [
        `effort ${id}: ${skill}${phase === null ? '' : `, phase ${phase}`}, in ${taskDir}`,
        `log progress with: ${ownCommand(io.env.PATH)} log TEXT (${log})`,
        ...missing.map(problem => `the skill names what is not there: ${problem}`),
      ].join('\n'),
  })
}

export interface EffortInjectOptions {
  readonly id?: number
  readonly path?: string
  readonly json?: boolean
}

export async function runEffortInject(text: string, { id, path, json }: EffortInjectOptions, io: CommandIo): Promise<ExitCode> {
  return runVerb<{ readonly id: number; readonly waiting: number }>(io, {
    method: 'effort.inject',
    params: { text, ...(id === undefined ? {} : { id }), ...(path === undefined ? {} : { path }) },
    json,
    render: ({ id: effort, waiting }) => `effort ${effort}: its agent reads it at its next tool call (${waiting} waiting)`,
  })
}

export interface EffortPhaseOptions {
  readonly proof?: string
  readonly force?: boolean
  readonly json?: boolean
}

export async function runEffortPhase(phase: string, options: EffortPhaseOptions, io: CommandIo): Promise<ExitCode> {
  const proof = options.proof === undefined ? null : parseObject(options.proof)
  if (proof?.ok === false) return fail(io, `--proof cannot be used: ${proof.why}`, `write it as JSON: --proof '{"tests": "12 passed"}'`)
  return runVerb<EffortAnswer>(io, {
    method: 'effort.phase',
    params: { phase, force: options.force === true, ...(proof === null ? {} : { proof: proof.value }) },
    json: options.json,
    render: effort => `effort ${effort.id}: ${effort.skill}, phase ${effort.phase}`,
  })
}

export function runEffortFinish(id: number | undefined, options: { readonly json?: boolean }, io: CommandIo): Promise<ExitCode> {
  return runVerb<EffortAnswer>(io, {
    method: 'effort.finish',
    params: { id },
    json: options.json,
    render: effort =>
      `effort ${effort.id} is finished${effort.nextSkills.length === 0 ? '' : `; what may follow: ${effort.nextSkills.join(', ')}`}`,
  })
}

interface EffortRow {
  readonly id: number
  readonly agent: string | null
  readonly skill: string
  readonly mode: string | null
  readonly phase: string | null
  readonly lifecycle: string
  readonly taskDir: string
}

export function runEffortList(options: { readonly all?: boolean; readonly json?: boolean }, io: CommandIo): Promise<ExitCode> {
  return runVerb<readonly EffortRow[]>(io, {
    method: 'effort.list',
    params: { all: options.all === true },
    json: options.json,
    render: rows =>
      renderTable(
        io,
        ['effort', 'state', 'skill', 'phase', 'agent', 'task'],
        rows.map(row => [row.id, row.lifecycle, row.skill, row.phase, row.agent, row.taskDir]),
        hint(io, 'no efforts here; belay effort start SKILL begins one'),
      ),
  })
}

export function runEffortShow(id: number | undefined, options: { readonly json?: boolean }, io: CommandIo): Promise<ExitCode> {
  return runVerb<Readonly<Record<string, unknown>>>(io, { method: 'effort.show', params: { id }, json: options.json, render: renderFields })
}
