// Names that come from outside (actors, sessions, agents) become columns and keys. A secret in one is replaced, always by the same text, so
// that it still names the same thing.
import { BoundedMap } from '@belay/core/value'

const NAMES_KEPT = 4096

export function createNameCleaner(redactText: (text: string) => string): (name: string) => string {
  // They come again with every call.
  const known = new BoundedMap<string, string>(NAMES_KEPT)
  return name => {
    const found = known.get(name)
    if (found !== undefined) return found
    const clean = redactText(name)
    known.set(name, clean)
    return clean
  }
}
