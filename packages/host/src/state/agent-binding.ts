// Roles that a person gave an agent. The agent proves its role with a secret that only it was handed; what is kept is the secret's hash.
import { createHash, randomBytes } from 'node:crypto'
import type { Store } from '../store/store.ts'
import type { RoleMirror } from './role-mirror.ts'
import type { Database } from './state.ts'

export interface Binding {
  readonly agentId: string
  readonly role: string
}

export interface Bindings {
  /** Whose secret this is; null: nobody's. */
  find(secret: string): Binding | null
  /** Adds one; those of the same agent in another role end. */
  add(hash: string, binding: Binding, now: string): Promise<void>
  /** The agent has ended, and its secret with it. */
  drop(hash: string): Promise<void>
}

/** An agent may be started several times in one role; what is older than so many starts has ended. */
const MAX_OF_ONE_AGENT = 32

export const SECRET_HASH = /^[0-9a-f]{64}$/

/** 256 bits, in a form that redaction knows. */
export function createSecret(): string {
  return `bas_${randomBytes(32).toString('base64url')}`
}

export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

export async function openBindings(store: Store, mirror: Pick<RoleMirror, 'setBindings'>): Promise<Bindings> {
  const known = new Map<string, Binding>()
  const rows = await store.db.selectFrom('agent_secrets').selectAll().orderBy('created_at').execute()
  for (const { hash, agent_id, role } of rows) known.set(hash, { agentId: agent_id, role })
  mirror.setBindings(known)
  /** Of the last call: an agent mostly makes several, one after the other. */
  let last: { readonly secret: string; readonly binding: Binding | null } | null = null

  async function forget(hashes: readonly string[], tx: Database): Promise<void> {
    if (hashes.length > 0) await tx.deleteFrom('agent_secrets').where('hash', 'in', hashes).execute()
  }

  return {
    find(secret) {
      if (last?.secret === secret) return last.binding
      last = { secret, binding: known.get(hashSecret(secret)) ?? null }
      return last.binding
    },
    async add(hash, binding, now) {
      const others = [...known].filter(([, other]) => other.agentId === binding.agentId)
      const over = others.filter(([, { role }], index) => role !== binding.role || index <= others.length - MAX_OF_ONE_AGENT)
      const ended = over.map(([other]) => other)
      await store.transact(async tx => {
        await forget(ended, tx)
        const row = { hash, agent_id: binding.agentId, role: binding.role, created_at: now }
        await tx.insertInto('agent_secrets').values(row).execute()
      })
      for (const other of ended) known.delete(other)
      known.set(hash, binding)
      last = null
      mirror.setBindings(known)
    },
    async drop(hash) {
      known.delete(hash)
      last = null
      mirror.setBindings(known)
      await store.transact(tx => forget([hash], tx))
    },
  }
}
