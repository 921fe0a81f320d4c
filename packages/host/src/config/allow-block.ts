// Where an allow rule for an actor has to stand. An actor takes its allow list from the block with its exact name, else from the longest glob
// that covers it: a new block of its own would take away everything the glob allows.
import { bestActorMatch } from '@belay/core/policy'

interface Block {
  readonly actor: string
  readonly allow: readonly unknown[]
}

/** The name of the block: the actor itself, unless a glob gives it an allow list now. */
export function allowBlockOf(blocks: readonly Block[], actor: string): string {
  const best = bestActorMatch(blocks, actor)
  return best === null || best.allow.length === 0 ? actor : best.actor
}
