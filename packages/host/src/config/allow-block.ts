// An actor takes its allow list from the block with its exact name, else from the longest glob that covers it: a new block of its own would
// take away everything the glob allows. So an allow rule goes where the list stands, and a new block begins with what the glob allows.
import { bestActorMatch } from '@belay/core/policy'
import type { NewRule } from './genesis-edit.ts'

interface Block {
  readonly actor: string
  readonly allow: readonly { readonly text: string }[]
}

/** The name of the block: the actor itself, unless a glob gives it an allow list now. */
export function allowBlockOf(blocks: readonly Block[], actor: string): string {
  const best = bestActorMatch(blocks, actor)
  return best === null || best.allow.length === 0 ? actor : best.actor
}

/** What a new block for the actor must allow, so that nothing changes by its being there. */
export function inheritedAllow(blocks: readonly Block[], actor: string): readonly NewRule[] {
  const best = bestActorMatch(blocks, actor)
  if (best === null || best.actor === actor) return []
  return best.allow.map(({ text }) => ({ actor, effect: 'allow', pattern: text }))
}
