// belay session list | show | finish: context windows, each linked to the one before it.
import { type CommandIo, type ExitCode, fail } from '../terminal/io.ts'
import { renderTable } from '../terminal/table.ts'
import { parseObject, renderFields, runVerb } from './state-call.ts'

interface SessionRow {
  readonly id: number
  readonly agent: string
  readonly subagent: string | null
  readonly effortId: number | null
  readonly heartbeat: number
  readonly interval: number
  readonly contextUsage: number | null
  readonly createdAt: string
  readonly endedAt: string | null
}

export function runSessionList(
  options: { readonly all?: boolean; readonly open?: boolean; readonly json?: boolean },
  io: CommandIo,
): Promise<ExitCode> {
  return runVerb<readonly SessionRow[]>(io, {
    method: 'session.list',
    params: { all: options.all === true, open: options.open === true },
    json: options.json,
    render: rows =>
      renderTable(
        io,
        ['session', 'agent', 'sub-agent', 'effort', 'heartbeat', 'context', 'started', 'ended'],
        rows.map(row => [
          row.id,
          row.agent,
          row.subagent,
          row.effortId,
          `${row.heartbeat}/${row.interval}`,
          row.contextUsage === null ? null : `${Math.round(row.contextUsage * 100)} %`,
          row.createdAt,
          row.endedAt,
        ]),
        'no sessions here yet',
      ),
  })
}

export function runSessionShow(id: number | undefined, options: { readonly json?: boolean }, io: CommandIo): Promise<ExitCode> {
  return runVerb<Readonly<Record<string, unknown>>>(io, {
    method: 'session.show',
    params: { id },
    json: options.json,
    render: renderFields,
  })
}

export async function runSessionFinish(
  options: { readonly dehydrate?: string; readonly json?: boolean },
  io: CommandIo,
): Promise<ExitCode> {
  const payload = options.dehydrate === undefined ? null : parseObject(options.dehydrate)
  if (payload?.ok === false) return fail(io, `--dehydrate cannot be used: ${payload.why}`)
  return runVerb<{ id: number }>(io, {
    method: 'session.finish',
    params: payload === null ? {} : { dehydrate: payload.value },
    json: options.json,
    render: ({ id }) => `session ${id} has ended; the next one continues the effort`,
  })
}
