// Which requests stand in the inbox, and where one goes from here. The one on screen keeps its place when it is decided: nothing moves
// under a finger, and a second press finds no buttons.
import type { Approval } from '#page/api.ts'

/** Oldest first, so that new ones come in below. */
export function inboxOf(pending: readonly Approval[], current: Approval | null): readonly Approval[] {
  const all = current === null || pending.some(({ id }) => id === current.id) ? pending : [...pending, current]
  return [...all].sort((a, b) => a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id))
}

/** The neighbour `step` rows away; without a place to start from, the first. */
export function neighbourOf(requests: readonly Approval[], id: string | null, step: 1 | -1): Approval | null {
  const at = requests.findIndex(request => request.id === id)
  if (at === -1) return requests[0] ?? null
  return requests[at + step] ?? requests[at] ?? null
}

/** What is selected and still waits. */
export function waitingOf(requests: readonly Approval[], selected: ReadonlySet<string>): readonly Approval[] {
  return requests.filter(({ id, state }) => state === 'pending' && selected.has(id))
}

/** Why no allow rule can end such questions; null: one can. */
export function whyNotAlways({ kind, origin, rule }: Pick<Approval, 'kind' | 'origin' | 'rule'>): string | null {
  if (kind === 'gate') return 'A gate holds a commitment; a rule about calls does not open it.'
  if (origin === 'default') return null
  if (origin === 'hook') return 'A hook asks for this call, and no allow rule overrides a hook.'
  return `${rule ?? 'A rule'} asks for this call, and no allow rule overrides that. Change that rule instead.`
}

/** `ask Bash(x) (/p/genesis.key:4)` in its parts. */
export function ruleParts(rule: string): { readonly text: string; readonly place: string | null } {
  const [, text, place] = /^([\s\S]*) \((\S.*:\d+)\)$/.exec(rule) ?? []
  return text === undefined || place === undefined ? { text: rule, place: null } : { text, place }
}
