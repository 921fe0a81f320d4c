// belay task list | show: directories in which skills were run.
import { type CommandIo, type ExitCode, hint } from '../terminal/io.ts'
import { renderTable } from '../terminal/table.ts'
import { renderFields, runVerb } from './state-call.ts'

interface TaskRow {
  readonly dir: string
  readonly title: string
  readonly efforts: number
  readonly state: string
}

export function runTaskList(options: { readonly all?: boolean; readonly json?: boolean }, io: CommandIo): Promise<ExitCode> {
  return runVerb<readonly TaskRow[]>(io, {
    method: 'task.list',
    params: { all: options.all === true },
    json: options.json,
    render: rows =>
      renderTable(
        io,
        ['state', 'efforts', 'task', 'title'],
        rows.map(row => [row.state, row.efforts, row.dir, row.title]),
        hint(io, 'no tasks here; belay effort start SKILL --task DIR makes one'),
      ),
  })
}

export function runTaskShow(dir: string, options: { readonly json?: boolean }, io: CommandIo): Promise<ExitCode> {
  return runVerb<Readonly<Record<string, unknown>>>(io, { method: 'task.show', params: { dir }, json: options.json, render: renderFields })
}
