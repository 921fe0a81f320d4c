// The page's files, as the build left them beside the program, read once; anew where an upgrade has replaced them.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

export interface PageFile {
  readonly type: string
  readonly plain: Buffer
  readonly gzipped: Buffer
  /** Its name changes with its content, so browsers may keep it. */
  readonly isHashed: boolean
  readonly tag: string
}

export interface PageFiles {
  /** Null: there is no such file. */
  get(path: string): PageFile | null
  /** The document; null: the page was not built. */
  document(): PageFile | null
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** Only names that are there are served: a path from outside never reaches the file system. */
export function openPageFiles(folder: string | null = findPageFolder()): PageFiles {
  let known = listNames(folder)
  let madeMs = madeAt(folder)
  const read = new Map<string, PageFile>()
  function get(path: string): PageFile | null {
    const type = TYPES[extname(path)]
    if (folder === null || type === undefined || !known.has(path)) return null
    const file = join(folder, path)
    const kept = read.get(path) ?? (existsSync(file) ? readPageFile(file, type, path.startsWith('/assets/')) : null)
    if (kept !== null) read.set(path, kept)
    return kept
  }
  return {
    get,
    document() {
      const nowMs = madeAt(folder)
      if (nowMs !== null && nowMs !== madeMs) {
        // Its parts have other names now.
        known = listNames(folder)
        read.clear()
        madeMs = nowMs
      }
      return get('/index.html')
    },
  }
}

function listNames(folder: string | null): ReadonlySet<string> {
  return new Set(folder === null || !existsSync(folder) ? [] : readdirSync(folder, { recursive: true }).map(name => `/${String(name)}`))
}

/** When the document was written; null: it is not there, as in the middle of an upgrade. */
function madeAt(folder: string | null): number | null {
  return (folder === null ? undefined : statSync(join(folder, 'index.html'), { throwIfNoEntry: false }))?.mtimeMs ?? null
}

function readPageFile(file: string, type: string, isHashed: boolean): PageFile {
  const plain = readFileSync(file)
  return {
    type,
    plain,
    gzipped: gzipSync(plain),
    isHashed,
    tag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
  }
}

/** `dist/dashboard` of this package, seen from its sources, from the bundle or from a chunk of it. */
function findPageFolder(): string | null {
  for (let folder = dirname(fileURLToPath(import.meta.url)); dirname(folder) !== folder; folder = dirname(folder)) {
    const page = join(folder, 'dist', 'dashboard')
    if (existsSync(join(page, 'index.html'))) return page
  }
  return null
}
