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
  // Most paths are plain, and hold no link: nothing need be taken apart.
  if (!absolute.includes('//') && !absolute.includes('/.') && !absolute.endsWith('/')) return followPlain(absolute, look)
  return followRest('', absolute.split('/').reverse(), { look, links: 0 })
}

function followPlain(absolute: string, look: (path: string) => NameKind): RealPath {
  for (let start = 0; start < absolute.length; ) {
    const next = absolute.indexOf('/', start + 1)
    const end = next < 0 ? absolute.length : next
    const name = look(next < 0 ? absolute : absolute.slice(0, end))
    if (name.kind === 'denied' || name.kind === 'invalid') return { ok: false, why: name.kind }
    // So is all below it.
    if (name.kind === 'missing') break
    if (name.kind === 'link') {
      const rest = absolute
        .slice(end + 1)
        .split('/')
        .reverse()
      rest.push(...name.target.split('/').reverse())
      return followRest(name.target.startsWith('/') ? '' : absolute.slice(0, start), rest, { look, links: 1 })
    }
    start = end
  }
  return { ok: true, path: absolute }
}

interface Following {
  readonly look: (path: string) => NameKind
  /** Followed so far. */
  readonly links: number
}

/** `real`: where the names before lead. `pending`: those that are left, the next one last. */
function followRest(from: string, pending: string[], { look, links: before }: Following): RealPath {
  let real = from
  let links = before
  /** How long the path of the first name is that is not there: below it nothing is. */
  let missing = Number.POSITIVE_INFINITY
  for (let segment = pending.pop(); segment !== undefined; segment = pending.pop()) {
    if (segment === '' || segment === '.') continue
    if (segment === '..') {
      real = real.slice(0, Math.max(0, real.lastIndexOf('/')))
      if (real.length < missing) missing = Number.POSITIVE_INFINITY
      continue
    }
    const path = `${real}/${segment}`
    if (path.length > missing) {
      real = path
      continue
    }
    const name = look(path)
    if (name.kind === 'denied' || name.kind === 'invalid') return { ok: false, why: name.kind }
    if (name.kind === 'missing') missing = path.length
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
