// Text that was not saved yet outlives a reload: one draft per project, in this tab only.

export interface Draft {
  readonly text: string
  /** Of the file the draft began with; null: there was none. */
  readonly baseHash: string | null
}

type Keeper = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

export function readDraft(keeper: Keeper, root: string): Draft | null {
  const kept = keeper.getItem(keyOf(root))
  if (kept === null) return null
  try {
    const { text, baseHash } = JSON.parse(kept)
    if (typeof text === 'string' && (baseHash === null || typeof baseHash === 'string')) return { text, baseHash }
  } catch {
    keeper.removeItem(keyOf(root))
  }
  return null
}

/** False: there is no room for it, and a reload would lose it. */
export function keepDraft(keeper: Keeper, root: string, draft: Draft | null): boolean {
  try {
    if (draft === null) keeper.removeItem(keyOf(root))
    else keeper.setItem(keyOf(root), JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}

function keyOf(root: string): string {
  return `belay.draft ${root}`
}
