// belay hooks running | cancel ID: which hooks the daemon runs now, and a person's way to stop one.
import type { RunningHook } from '../guard/running-hook.ts'
import type { CommandIo, ExitCode } from '../terminal/io.ts'
import { renderTable } from '../terminal/table.ts'
import { runVerb } from './state-call.ts'

interface Options {
  readonly json?: boolean
}

export function runHooksRunning({ json }: Options, io: CommandIo): Promise<ExitCode> {
  return runVerb<{ hooks: readonly RunningHook[] }>(io, {
    method: 'hooks.running',
    json,
    value: ({ hooks }) => hooks,
    render: ({ hooks }) => renderTable(io, HEAD, hooks.map(rowOf), 'no hook is running'),
  })
}

const HEAD = ['id', 'hook', 'event', 'agent', 'since', 'what it does']

function rowOf({ id, hook, event, tool, agent, agentId, startedAt, status, progress, isAsync }: RunningHook) {
  const told = [status, progress, isAsync ? '(nobody waits for it)' : null].filter(text => text !== null).join('; ')
  return [id, hook, tool === null ? event : `${event} ${tool}`, agentId ?? agent, startedAt, told]
}

export function runHooksCancel(id: string, { json }: Options, io: CommandIo): Promise<ExitCode> {
  return runVerb<{ cancelled: boolean; hook: RunningHook }>(io, {
    method: 'hooks.cancel',
    params: { id },
    json,
    render: ({ cancelled, hook }) =>
      cancelled ? `hook "${hook.hook}" is stopped; it counts as failed, and its \`fail\` decides` : `hook "${hook.hook}" had just ended`,
  })
}
