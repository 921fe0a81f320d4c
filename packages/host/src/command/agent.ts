// belay agent list | show | bind: who works here, and in which role.
import type { CommandIo, ExitCode } from './io.ts'
import { refuseAgents } from './person-only.ts'
import { renderFields, renderTable, runVerb } from './state-call.ts'

interface AgentRow {
  readonly agent: string
  readonly role: string | null
  readonly status: string
  readonly statusReason: string | null
  readonly skill: string | null
  readonly phase: string | null
  readonly lastEventAt: string
}

export function runAgentList(options: { readonly json?: boolean }, io: CommandIo): Promise<ExitCode> {
  return runVerb<readonly AgentRow[]>(io, {
    method: 'agent.list',
    json: options.json,
    render: rows =>
      renderTable(
        ['agent', 'role', 'status', 'skill', 'phase', 'last event', 'why'],
        rows.map(row => [row.agent, row.role, row.status, row.skill, row.phase, row.lastEventAt, row.statusReason]),
        'no agents yet; belay install AGENT connects one',
      ),
  })
}

export function runAgentShow(id: string, options: { readonly json?: boolean }, io: CommandIo): Promise<ExitCode> {
  return runVerb<Readonly<Record<string, unknown>>>(io, { method: 'agent.show', params: { id }, json: options.json, render: renderFields })
}

interface BindOptions {
  readonly label?: string
  readonly json?: boolean
}

export async function runAgentBind(id: string, role: string, options: BindOptions, io: CommandIo): Promise<ExitCode> {
  const refused = refuseAgents(io, 'belay agent bind')
  if (refused !== null) return refused
  return runVerb<{ id: string; role: string }>(io, {
    method: 'agent.bind',
    params: { id, role, label: options.label },
    json: options.json,
    render: bound => `${bound.id} acts as ${bound.role.includes(':') ? bound.role : `agent:${bound.role}`}`,
  })
}
