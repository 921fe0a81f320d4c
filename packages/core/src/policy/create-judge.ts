// A judge that remembers. Only decisions that depend on nothing but the policy, the call and its directories are kept:
// where a file had a say, the links on disk may have changed since.

import type { FileView } from '../match/path/file-view.ts'
import type { CompiledPermissions } from './compile-rules.ts'
import { judge } from './judge.ts'
import type { JudgeContext, Judgement, ToolCall } from './judgement.ts'

export type Judge = (call: ToolCall, context: JudgeContext) => Judgement

export function createJudge(compiled: CompiledPermissions, options: { readonly cacheSize: number }): Judge {
  const cache = new Map<string, Judgement>()
  const watchers = new WeakMap<FileView, WatchedFiles>()
  return (call, context) => {
    const key = cacheKey(call, compiled, context)
    if (key === null) return judge(call, compiled, context)
    const known = cache.get(key)
    if (known !== undefined) {
      // Last used stands last; the first is the next to go.
      cache.delete(key)
      cache.set(key, known)
      return known
    }
    const files = watchers.get(context.files) ?? watchFiles(context.files)
    watchers.set(context.files, files)
    files.used = false
    const made = judge(call, compiled, { ...context, files })
    if (options.cacheSize > 0 && !files.used) {
      cache.set(key, made)
      if (cache.size > options.cacheSize) cache.delete(cache.keys().next().value ?? '')
    }
    return made
  }
}

interface WatchedFiles extends FileView {
  used: boolean
}

/** Notes whether the file system was asked about a path. */
function watchFiles(files: FileView): WatchedFiles {
  const watched: WatchedFiles = {
    used: false,
    realPath(absolute) {
      watched.used = true
      return files.realPath(absolute)
    },
    linkCount(absolute) {
      watched.used = true
      return files.linkCount(absolute)
    },
    isCaseInsensitive: root => files.isCaseInsensitive(root),
  }
  return watched
}

/** null: the input is no data (it holds itself, say), so two of them cannot be told to be the same. */
function cacheKey(call: ToolCall, compiled: CompiledPermissions, context: JudgeContext): string | null {
  const { root, cwd, home, belayHome, selfProtection, platform, harmlessEnv, trustedDirs } = context
  const place = [root, cwd, home, belayHome, selfProtection, platform, harmlessEnv, trustedDirs]
  try {
    return JSON.stringify([compiled.hash, call.tool, call.input, place])
  } catch {
    return null
  }
}
