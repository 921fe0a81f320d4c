// agent.bind | release | identify: a person gives an agent a role; the agent proves it with a secret, of which only the hash comes here.
import type { EntryDraft } from '@belay/core/ledger'
import { agentName } from '../config/agent-name.ts'
import { needText, type Params, readText } from '../rpc/param.ts'
import { RPC_INVALID_PARAMS, RpcError } from '../rpc/rpc.ts'
import { bindRole } from '../state/agent.ts'
import { hashSecret, SECRET_HASH } from '../state/agent-binding.ts'
import { timeText } from '../state/state.ts'
import type { WorkParts } from '../state/work-parts.ts'

export interface RoleOptions {
  readonly parts: WorkParts
  /** `human:<name>` of this machine. */
  readonly person: string
  /** Resolves when it is on disk. */
  record(draft: EntryDraft): Promise<unknown>
}

export function createRoleMethods(options: RoleOptions) {
  return [
    ['agent.bind', (params: Params) => bind(options, params)],
    ['agent.release', (params: Params) => release(options, params)],
    ['agent.identify', (params: Params) => identify(options, params)],
  ] as const
}

/** Without a hash nobody can prove the role: the id alone can only lower rights. */
async function bind({ parts, person, record }: RoleOptions, params: Params) {
  const id = parts.cleanName(needText(params, 'id'))
  const role = needText(params, 'role')
  const actor = agentName(role)
  if (actor === null)
    throw new RpcError(RPC_INVALID_PARAMS, `${role} is not a role of an agent: give a name such as reviewer or agent:reviewer`)
  const hash = readText(params, 'secretHash')
  if (hash !== null && !SECRET_HASH.test(hash)) throw new RpcError(RPC_INVALID_PARAMS, 'secretHash is a SHA-256 in hexadecimal.')
  const now = timeText(parts.now())
  await record({ actor: person, session: null, kind: 'agent_bind', policy: null, body: { agentId: id, role: actor } })
  await parts.rows.flush()
  await parts.store.transact(tx => bindRole(tx, id, { role, label: readText(params, 'label') }, now))
  if (hash !== null) await parts.bindings.add(hash, { agentId: id, role: actor }, now)
  const { label } = await parts.rows.reloadAgent(id)
  return { id, role, actor, label }
}

/** Whoever holds a secret may give it up. */
async function release({ parts }: RoleOptions, params: Params) {
  const secret = needText(params, 'secret')
  const binding = parts.bindings.find(secret)
  if (binding !== null) await parts.bindings.drop(hashSecret(secret))
  return { released: binding !== null }
}

/** The role that a secret proves; `named`: that of the id, which without its secret can only lower rights. */
async function identify({ parts }: RoleOptions, params: Params) {
  const secret = readText(params, 'secret')
  const binding = secret === null ? null : parts.bindings.find(secret)
  const id = readText(params, 'id')
  const { role } = binding !== null || id === null ? { role: null } : await parts.rows.agent(parts.cleanName(id))
  return { role: binding?.role ?? null, named: role === null ? null : agentName(role) }
}
