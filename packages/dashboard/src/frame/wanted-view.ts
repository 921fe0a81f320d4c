// The address that somebody came for and could not see yet: after logging in, which leads to the first page, it is where they go.

const KEY = 'belay.wanted'
/** Whoever asks for a link takes this long at most. */
const LASTING_MS = 15 * 60_000

type Keeper = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

export function keepWanted(keeper: Keeper, href: string, nowMs: number): void {
  if (href !== '/') keeper.setItem(KEY, JSON.stringify({ href, at: nowMs }))
}

/** null: there is none, or it is from long ago. Only once. */
export function takeWanted(keeper: Keeper, nowMs: number): string | null {
  const kept = keeper.getItem(KEY)
  if (kept === null) return null
  keeper.removeItem(KEY)
  try {
    const { href, at } = JSON.parse(kept) as { readonly href?: unknown; readonly at?: unknown }
    // An address of ours, never one of another host.
    if (typeof href !== 'string' || !/^\/(?![/\\])/.test(href) || typeof at !== 'number') return null
    return nowMs - at < LASTING_MS ? href : null
  } catch {
    return null
  }
}
