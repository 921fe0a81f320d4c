// Which project each session began in, as files that the client verifies and may add to: a session that begins while the daemon is away is
// fixed by a file of its own, which the daemon takes over. Several files for all sessions, so that each stays small and one that is missing is
// seen. A session's project is on disk before its first answer.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { mirrorFolder, readMirror, removeMirror, writeMirror } from '../config/mirror-file.ts'

export interface RootMirror {
  find(agentKind: string, session: string): string | null
  keep(agentKind: string, session: string, root: string): void
}

export interface KnownRoot {
  /** null: it has not begun yet. */
  readonly root: string | null
  /** A daemon has kept the projects of sessions here. */
  readonly isKept: boolean
}

/** By the first digit of the key. */
const SHARDS = [...'0123456789abcdef']
const MAX_OF_A_SHARD = 200
const BEGUN = 'begun'

type Roots = Map<string, string>

export function openRootMirror(home: string, onFailure: (error: unknown) => void): RootMirror {
  const shards = new Map(SHARDS.map(shard => [shard, openShard(home, shard, onFailure)]))
  function write(shard: string, roots: Roots): void {
    if (roots.size > MAX_OF_A_SHARD) roots.delete(roots.keys().next().value ?? '')
    const why = writeMirror(home, shardName(shard), { roots: [...roots] })
    if (why !== null) onFailure(new Error(`clients cannot know the projects of sessions while the daemon is away: ${why}`))
  }
  function put(key: string, root: string): void {
    const shard = key.charAt(0)
    const roots = shards.get(shard) ?? new Map<string, string>()
    if (roots.get(key) === root) return
    write(shard, roots.set(key, root))
  }
  /** What a client began alone. */
  function takeOver(key: string): string | null {
    const read = readMirror(home, begunName(key))
    if (read.kind === 'missing') return null
    const root = read.kind === 'known' && typeof read.value.root === 'string' ? read.value.root : null
    if (root !== null) put(key, root)
    removeMirror(home, begunName(key))
    return root
  }
  for (const [shard, roots] of shards) if (readMirror(home, shardName(shard)).kind !== 'known') write(shard, roots)
  for (const key of listBegun(home)) takeOver(key)
  return {
    find(agentKind, session) {
      const key = keyOf(agentKind, session)
      return shards.get(key.charAt(0))?.get(key) ?? takeOver(key)
    },
    keep: (agentKind, session, root) => put(keyOf(agentKind, session), root),
  }
}

/** Where a session began, for a client that is alone; a text: why that cannot be known. */
export function readRoot(home: string, agentKind: string, session: string): KnownRoot | string {
  const key = keyOf(agentKind, session)
  const shard = readMirror(home, shardName(key.charAt(0)))
  if (shard.kind === 'damaged') return shard.why
  const isKept = shard.kind === 'known'
  const root = isKept ? rootsOf(shard.value).get(key) : undefined
  if (root !== undefined) return { root, isKept }
  const begun = readMirror(home, begunName(key))
  if (begun.kind === 'damaged') return begun.why
  return { root: begun.kind === 'known' && typeof begun.value.root === 'string' ? begun.value.root : null, isKept }
}

/** The client alone fixes what begins with it. */
export function beginAlone(home: string, { agentKind, session, root }: Begun): void {
  const why = writeMirror(home, begunName(keyOf(agentKind, session)), { root })
  if (why !== null) throw new Error(`the project of this session cannot be kept: ${why}`)
}

export interface Begun {
  readonly agentKind: string
  readonly session: string
  readonly root: string
}

function openShard(home: string, shard: string, onFailure: (error: unknown) => void): Roots {
  const read = readMirror(home, shardName(shard))
  if (read.kind === 'damaged') onFailure(new Error(`what it said of sessions is not believed: ${read.why}`))
  return read.kind === 'known' ? rootsOf(read.value) : new Map()
}

function rootsOf({ roots }: Readonly<Record<string, unknown>>): Roots {
  // Sealed: this is what `write` wrote.
  return new Map(roots as readonly (readonly [string, string])[])
}

function listBegun(home: string): readonly string[] {
  const folder = join(mirrorFolder(home), BEGUN)
  return existsSync(folder) ? readdirSync(folder).flatMap(name => (/^[0-9a-f]{32}\.json$/.test(name) ? [basename(name, '.json')] : [])) : []
}

function shardName(shard: string): string {
  return `sessions-${shard}`
}

function begunName(key: string): string {
  return join(BEGUN, key)
}

function keyOf(agentKind: string, session: string): string {
  return createHash('sha256').update(`${agentKind}\n${session}`).digest('hex').slice(0, 32)
}
