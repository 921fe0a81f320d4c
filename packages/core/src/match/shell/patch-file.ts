// Patches whose text the command line does not hand over directly: it may write it first (`cat > p <<EOF ...; git apply p`), or it lies in a
// file already.
import { looksLikePatch, touchPatch } from './reader/patch.ts'
import type { PatchFile } from './shell-analysis.ts'
import type { Walk } from './walk.ts'

/** Any text of this line that looks like a patch may be the one that is applied. */
export function touchWrittenPatches(walk: Walk): void {
  const words = walk.units.flatMap(unit => [...unit.words, ...unit.assignments.map(({ value }) => value)])
  const texts = [...walk.patchTexts, ...words.filter(looksLikePatch)]
  for (const { call } of walk.patches) for (const text of texts) touchPatch(call, text)
}

export function patchFiles({ patches }: Walk): readonly PatchFile[] {
  return patches.flatMap(({ call, file }) => {
    const { stdin } = call.place
    const sent = stdin.kind === 'file' ? [stdin.path ?? null] : stdin.kind === 'pipe' && stdin.files?.length ? stdin.files : [null]
    // What git prints, it has: applying it is like a checkout.
    if (file === null && stdin.kind === 'pipe' && stdin.by === 'git') return []
    const bases = call.place.scope.bases ?? [null]
    return (file === null ? sent : [file]).flatMap(one => bases.map(base => ({ file: one, base, span: call.unit.span, unit: call.index })))
  })
}
