// What agents have claimed, for the client when it is alone: a gate about a commitment holds there too.
import { readMirror, writeMirror } from '../config/mirror-file.ts'
import type { Board } from './board.ts'
import { conditionFields } from './condition-fields.ts'

export interface ClaimMirror {
  /** Something was claimed or changed. On disk when this returns. */
  keep(board: Board): void
  /** The same, a moment later. */
  keepLater(board: Board): void
}

export interface KnownClaims {
  /** As `commitmentOf` of the daemon. */
  commitmentOf(agentId: string, wanted: string | null): string | null
  fieldsOf(commitment: string): Readonly<Record<string, unknown>>
}

interface Claim {
  readonly id: string
  readonly agent: string
  readonly isOpen: boolean
  readonly fields: Readonly<Record<string, unknown>>
}

const NAME = 'claims'
/** The latest; who names an older one that is closed has none. */
const MAX_CLOSED = 500
const LATER_MS = 250

export function createClaimMirror(home: string, onFailure: (error: unknown) => void): ClaimMirror {
  let last = ''
  let timer: NodeJS.Timeout | null = null
  function keep(board: Board): void {
    const claims = listClaims(board)
    const text = JSON.stringify(claims)
    if (text === last) return
    const why = writeMirror(home, NAME, { claims }, true)
    last = why === null ? text : ''
    if (why !== null) onFailure(new Error(`clients cannot know what agents have claimed while the daemon is away: ${why}`))
  }
  return {
    keep,
    keepLater(board) {
      if (timer !== null) return
      timer = setTimeout(() => {
        timer = null
        keep(board)
      }, LATER_MS).unref()
    },
  }
}

function listClaims({ commitments }: Board): readonly Claim[] {
  const claimed = [...commitments.values()].filter(({ claimedAgent }) => claimedAgent !== null)
  claimed.sort((a, b) => (a.updatedAt < b.updatedAt ? -1 : 1))
  const closed = claimed.filter(({ state }) => state === 'closed').slice(-MAX_CLOSED)
  return [...closed, ...claimed.filter(({ state }) => state !== 'closed')].map(commitment => ({
    id: commitment.id,
    agent: commitment.claimedAgent ?? '',
    isOpen: commitment.state !== 'closed',
    fields: conditionFields(commitment.id, commitment),
  }))
}

/** A text: why they cannot be known; null: no daemon has ever kept any. */
export function readClaims(home: string): KnownClaims | string | null {
  const read = readMirror(home, NAME)
  if (read.kind === 'missing') return null
  if (read.kind === 'damaged') return read.why
  // Sealed: this is what `keep` wrote.
  const { claims } = read.value as { readonly claims: readonly Claim[] }
  return {
    commitmentOf(agentId, wanted) {
      const own = claims.filter(({ agent }) => agent === agentId)
      if (wanted !== null) return own.some(({ id }) => id === wanted) ? wanted : null
      return own.findLast(({ isOpen }) => isOpen)?.id ?? null
    },
    fieldsOf: commitment => claims.find(({ id }) => id === commitment)?.fields ?? { id: commitment },
  }
}
