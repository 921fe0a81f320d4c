// Roles that people gave agents, for the client when it is alone: whose secret has which hash, and which ids have a role at all.
import { readMirror, writeMirror } from '../config/mirror-file.ts'
import type { Store } from '../store/store.ts'
import { type Binding, hashSecret } from './agent-binding.ts'
import type { MirrorOptions } from './row-mirror.ts'

export interface RoleMirror {
  /** By the hash of the secret. On disk when this returns. */
  setBindings(bindings: ReadonlyMap<string, Binding>): void
  setRole(agentId: string, role: string | null): void
}

/** As the daemon knew them. */
export interface KnownRoles {
  bindingOf(secret: string): Binding | null
  roleOf(agentId: string): string | null
}

const NAME = 'roles'

export async function openRoleMirror(store: Store, { home, onFailure }: MirrorOptions): Promise<RoleMirror> {
  const rows = await store.db.selectFrom('agents').select(['id', 'role']).where('role', 'is not', null).execute()
  const roles = new Map(rows.flatMap(({ id, role }) => (role === null ? [] : [[id, role] as const])))
  let known: ReadonlyMap<string, Binding> = new Map()
  const write = (): void => {
    const why = writeMirror(home, NAME, { bindings: Object.fromEntries(known), roles: Object.fromEntries(roles) }, true)
    if (why !== null) onFailure(new Error(`clients cannot know the roles of agents while the daemon is away: ${why}`))
  }
  return {
    setBindings(bindings) {
      known = bindings
      write()
    },
    setRole(agentId, role) {
      if ((roles.get(agentId) ?? null) === role) return
      if (role === null) roles.delete(agentId)
      else roles.set(agentId, role)
      write()
    },
  }
}

/** A text: why they cannot be known; null: no daemon has ever kept any. */
export function readRoles(home: string): KnownRoles | string | null {
  const read = readMirror(home, NAME)
  if (read.kind === 'missing') return null
  if (read.kind === 'damaged') return read.why
  // Sealed: this is what `write` wrote.
  const { bindings, roles } = read.value as { readonly bindings: Record<string, Binding>; readonly roles: Record<string, string> }
  const own = <T>(of: Record<string, T>, key: string): T | null => (Object.hasOwn(of, key) ? (of[key] ?? null) : null)
  return { bindingOf: secret => own(bindings, hashSecret(secret)), roleOf: agentId => own(roles, agentId) }
}
