// The files a patch text touches: the `*** Update File:` form of apply_patch, else a unified diff. Reads generously: a
// line that might be a header counts as one, because a path too many only makes the answer stricter.

export interface PatchPath {
  readonly action: 'add' | 'update' | 'delete' | 'move'
  readonly path: string
}

export function patchPaths(text: string): readonly PatchPath[] {
  const lines = text.split(/\r?\n/)
  const found = lines.flatMap(headerPath)
  return found.length > 0 ? found : lines.flatMap(diffPath)
}

const actions = { 'Add File': 'add', 'Update File': 'update', 'Delete File': 'delete', 'Move to': 'move' } as const

function headerPath(line: string): PatchPath[] {
  const trimmed = line.trim()
  if (!trimmed.startsWith('***')) return []
  for (const [words, action] of Object.entries(actions)) {
    const start = `*** ${words}:`
    if (trimmed.startsWith(start)) return [{ action, path: trimmed.slice(start.length).trim() }]
  }
  return []
}

function diffPath(line: string): PatchPath[] {
  const old = /^--- (?:"?a\/)?([^\t]+)/.exec(line)?.[1]
  const fresh = /^\+\+\+ (?:"?b\/)?([^\t]+)/.exec(line)?.[1]
  const moved = /^(?:rename|copy) to (.+)/.exec(line)?.[1]
  if (moved !== undefined) return [{ action: 'move', path: moved.trim() }]
  const path = (fresh ?? old)?.trim().replace(/"$/, '')
  return path === undefined || path === '/dev/null' ? [] : [{ action: 'update', path }]
}

const DIFF_HEADER = /^(?:\+\+\+|---|\*\*\*|Index:|(?:rename|copy) (?:to|from)|diff --git \S+)[ \t]+([^\t\n]+)/gm
const MAX_STRIPPED = 4
const MAX_PATHS = 4096

/**
 * Every path that the text may write, whichever program applies it: how many leading folders are stripped is for its options to say, and
 * both forms may stand in one text.
 */
export function patchTargets(text: string): readonly string[] {
  const found = new Set(
    text
      .split(/\r?\n/)
      .flatMap(headerPath)
      .map(({ path }) => path),
  )
  for (const [, header = ''] of text.matchAll(DIFF_HEADER)) {
    if (found.size > MAX_PATHS) break
    const folders = header.trimEnd().replace(/^"|"$/g, '').split('/')
    for (let strip = 0; strip < Math.min(folders.length, MAX_STRIPPED); strip++) found.add(folders.slice(strip).join('/'))
  }
  found.delete('')
  return [...found]
}
