// The disk as it is while a replay runs: what was looked at once is not looked at again.
import { createFileView, type FileView } from '@belay/core/match'
import { BoundedMap } from '@belay/core/value'

const KEPT = 50_000

export function rememberedFiles(): FileView {
  const disk = createFileView()
  return {
    ...disk,
    realPath: remember(path => disk.realPath(path)),
    linkCount: remember(path => disk.linkCount(path)),
    names: remember(path => disk.names(path)),
    knownNames: remember(path => disk.knownNames(path)),
    text: path => disk.text(path),
    hasNameBelow: (path, directories) => disk.hasNameBelow(path, directories),
    isCaseInsensitive: remember(root => disk.isCaseInsensitive(root)),
    knowsLinks: disk.knowsLinks,
  }
}

function remember<T>(look: (path: string) => T): (path: string) => T {
  const kept = new BoundedMap<string, { readonly found: T }>(KEPT)
  return path => {
    const known = kept.get(path)
    if (known !== undefined) return known.found
    const found = look(path)
    kept.set(path, { found })
    return found
  }
}
