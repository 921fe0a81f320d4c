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
