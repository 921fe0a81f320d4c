// Whether a file tool wrote where it was judged to write. Between the check and the write somebody can replace a link on the way; that cannot
// be prevented from here, but it shows afterwards: the path leads elsewhere, or a link on it is no longer the one that was there.
// Bounded: what is forgotten is only this comparison.

import { lstatSync, readlinkSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { callKey, type HookEvent } from '@belay/core'
import { createFileView, toolFamily } from '@belay/core/match'
import type { Judgement } from '@belay/core/policy'
import { BoundedMap } from '@belay/core/value'

export interface MovedPath {
  /** As the call names it. */
  readonly path: string
  /** The file it was when the call was judged. */
  readonly judged: string
  /** The file it is now; the same as `judged` where a link was replaced and put back. */
  readonly written: string
}

export interface WrittenPaths {
  /** A call that was let go. */
  note(event: HookEvent, judgement: Judgement | null): void
  /** Of a call that is over; given once. */
  listMoved(event: HookEvent): readonly MovedPath[]
}

interface Seen {
  readonly real: string
  readonly links: string
}

const MAX_CALLS = 2000
const MAX_LINKS = 40
const NOTHING: readonly MovedPath[] = []

export function createWrittenPaths(): WrittenPaths {
  const calls = new BoundedMap<string, ReadonlyMap<string, Seen>>(MAX_CALLS)
  const files = createFileView()

  return {
    note(event, judgement) {
      if (judgement === null || !isFileTool(event)) return
      const seen = new Map<string, Seen>()
      for (const { path } of judgement.parts) {
        if (path !== undefined && path.real !== null) seen.set(path.lexical, { real: path.real, links: listLinks(path.lexical) })
      }
      if (seen.size === 0) return
      calls.set(callKey(event), seen)
    },
    listMoved(event) {
      if (!isFileTool(event)) return NOTHING
      const key = callKey(event)
      const seen = calls.get(key)
      if (seen === undefined) return NOTHING
      calls.delete(key)
      return [...seen].flatMap(([path, { real, links }]) => {
        const now = files.realPath(path)
        const written = now.ok ? now.path : `(unknown: ${now.why})`
        return written === real && listLinks(path) === links ? [] : [{ path, judged: real, written }]
      })
    },
  }
}

function isFileTool({ fields }: HookEvent): boolean {
  return typeof fields.toolName === 'string' && toolFamily(fields.toolName) === 'write'
}

/** Every link on the way, with what tells it apart from another one of the same name and target. */
function listLinks(path: string): string {
  const links: string[] = []
  let rest = path.split(sep).filter(name => name !== '')
  let at: string = sep
  while (rest.length > 0 && links.length < MAX_LINKS) {
    const [name = '', ...more] = rest
    const here = join(at, name)
    const link = readLink(here)
    if (link !== null) links.push(`${here} ${link.mark}`)
    rest =
      link === null
        ? more
        : [
            ...resolve(dirname(here), link.target)
              .split(sep)
              .filter(part => part !== ''),
            ...more,
          ]
    at = link === null ? here : sep
  }
  return links.join('\n')
}

function readLink(path: string): { readonly target: string; readonly mark: string } | null {
  try {
    const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false })
    return stat?.isSymbolicLink() ? { target: readlinkSync(path), mark: `${stat.ino} ${stat.ctimeNs}` } : null
  } catch {
    return null
  }
}
