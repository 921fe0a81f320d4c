// Where a path really leads: links are followed one segment at a time, as the kernel does, so `link/..` is the parent of
// the link's target. Pure: what a name is comes from `look`. Names that do not exist yet stand for themselves.
import type { RealPath } from './file-view.ts'

export type NameKind =
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'plain' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'denied' }
  | { readonly kind: 'invalid' }

/** The kernel's own limit on Linux. */
const maxLinks = 40

export function followLinks(absolute: string, look: (path: string) => NameKind): RealPath {
  if (!absolute.startsWith('/')) return { ok: false, why: 'invalid' }
  const pending = absolute.split('/').reverse()
  let real = ''
  let links = 0
  for (let segment = pending.pop(); segment !== undefined; segment = pending.pop()) {
    if (segment === '' || segment === '.') continue
    if (segment === '..') {
      real = real.slice(0, Math.max(0, real.lastIndexOf('/')))
      continue
    }
    const path = `${real}/${segment}`
    const name = look(path)
    if (name.kind === 'denied' || name.kind === 'invalid') return { ok: false, why: name.kind }
    if (name.kind !== 'link') {
      real = path
      continue
    }
    links += 1
    if (links > maxLinks) return { ok: false, why: 'loop' }
    if (name.target.startsWith('/')) real = ''
    pending.push(...name.target.split('/').reverse())
  }
  return { ok: true, path: real === '' ? '/' : real }
}
