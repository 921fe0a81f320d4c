// belay agent list | show | bind: who works here, and in which role.
import { quote } from '../agent/hook-command.ts'
import { ownCommand } from '../config/own-command.ts'
import { createSecret, hashSecret } from '../state/agent-binding.ts'
import { type CommandIo, type ExitCode, hint, printLine } from '../terminal/io.ts'
import { renderTable } from '../terminal/table.ts'
import { SECRET_VARIABLE } from '../wire/hook-variables.ts'
import { renderFields, runVerb } from './state-call.ts'

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
        io,
        ['agent', 'role', 'status', 'skill', 'phase', 'last event', 'why'],
        rows.map(row => [row.agent, row.role, row.status, row.skill, row.phase, row.lastEventAt, row.statusReason]),
        hint(io, 'no agents yet; belay install AGENT connects one'),
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

interface Bound {
  readonly id: string
  /** `agent:` and the role. */
  readonly actor: string
}

/** Prints lines for a shell: `eval "$(belay agent bind ID ROLE)"`. The secret is in them and nowhere else. */
export async function runAgentBind(id: string, role: string, options: BindOptions, io: CommandIo): Promise<ExitCode> {
  const secret = createSecret()
  const params = { id, role, label: options.label, secretHash: hashSecret(secret) }
  const code = await runVerb<Bound>(io, {
    method: 'agent.bind',
    params,
    json: options.json,
    value: bound => ({ ...bound, variables: roleVariables(bound.id, bound.actor, secret) }),
    render: bound => exportLines(roleVariables(bound.id, bound.actor, secret)),
  })
  if (code === 0 && options.json !== true && io.isTty)
    printLine(
      io.stderr,
      `belay: these lines give the role to what a shell starts: eval "$(${ownCommand(io.env.PATH)} agent bind ${quote(id)} ${quote(role)})"`,
    )
  return code
}

/** What the environment of an agent says of its role. The name is there for clients that cannot check the secret: it can only lower rights. */
export function roleVariables(id: string, actor: string, secret: string): Readonly<Record<string, string>> {
  return { AGENT_ID: id, BELAY_ACTOR: actor, [SECRET_VARIABLE]: secret }
}

function exportLines(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `export ${name}=${quote(value)}`)
    .join('\n')
}
