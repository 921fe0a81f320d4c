// What hooks changed in a conversation, kept for the requests that follow: hosts build the list of messages anew for each one.
// Messages are told apart by their id where they have one, else by being the same object. A message that was changed in place needs no note.

export interface MessageEdits {
  /** `before` was shown to hooks, `after` is what they made of it. */
  learn(before: readonly unknown[], after: readonly unknown[]): void
  /** The list as it stands after all that was learnt. */
  apply(messages: readonly unknown[]): unknown[]
}

export function createMessageEdits(): MessageEdits {
  const removed = new Set<unknown>()
  /** By the message before it; null: at the beginning. */
  const added = new Map<unknown, unknown[]>()

  const addAfter = (anchor: unknown, message: unknown) => {
    const list = added.get(anchor) ?? []
    if (!list.some(each => keyOf(each) === keyOf(message))) list.push(message)
    added.set(anchor, list)
  }
  const withAdded = (anchor: unknown): unknown[] =>
    (added.get(anchor) ?? []).filter(message => !removed.has(keyOf(message))).flatMap(message => [message, ...withAdded(keyOf(message))])

  return {
    learn(before, after) {
      const known = new Set(before.map(keyOf))
      const kept = new Set(after.map(keyOf))
      for (const key of known) if (!kept.has(key)) removed.add(key)
      let anchor: unknown = null
      for (const message of after) {
        const key = keyOf(message)
        if (!known.has(key)) addAfter(anchor, message)
        anchor = key
      }
    },
    apply(messages) {
      // What a removed message was followed by still stands at its place.
      const rest = messages.flatMap(message => {
        const key = keyOf(message)
        return [...(removed.has(key) ? [] : [message]), ...withAdded(key)]
      })
      return [...withAdded(null), ...rest]
    },
  }
}

function keyOf(message: unknown): unknown {
  if (typeof message !== 'object' || message === null || !('id' in message)) return message
  return typeof message.id === 'string' && message.id !== '' ? message.id : message
}
