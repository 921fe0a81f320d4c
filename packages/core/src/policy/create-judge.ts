// A judge that remembers. Only decisions that depend on nothing but the policy, the call and its directories are kept:
// where a file had a say, the links on disk may have changed since.
import type { FileView } from '../match/path/file-view.ts'
import { createCommandMemories } from './command-memory.ts'
import type { CompiledPermissions } from './compile-rules.ts'
import { judge } from './judge.ts'
import type { JudgeContext, Judgement, ToolCall } from './judgement.ts'
import { type WatchedFiles, watchFiles } from './watched-files.ts'

export type Judge = (call: ToolCall, context: JudgeContext) => Judgement

/** The key of a longer call costs more than judging it, and thousands of them would fill the memory. */
const MAX_KEY_LENGTH = 4096

export interface JudgeMemory {
  /** Decisions about whole calls. Telling that one came before takes half as long as judging it. */
  readonly cacheSize: number
  /** Commands, whatever else stands in the input of the call; default none. */
  readonly commandsKept?: number
}

export function createJudge(compiled: CompiledPermissions, options: JudgeMemory): Judge {
  const { commandsKept = 0 } = options
  const remember = commandsKept === 0 ? null : createCommandMemories(commandsKept)
  const cache = new Map<string, Judgement>()
  const rememberedPlaces = new WeakMap<JudgeContext, RememberedPlace>()
  const watchers = new WeakMap<FileView, WatchedFiles>()

  function rememberPlace(context: JudgeContext): RememberedPlace {
    const files = watchers.get(context.files) ?? watchFiles(context.files)
    watchers.set(context.files, files)
    const watched = remember === null ? { ...context, files } : { ...context, files, commands: remember(files) }
    const place = { files, context: watched, key: placeKey(context) }
    rememberedPlaces.set(context, place)
    return place
  }

  return (call, given) => {
    const { files, context, key: place } = rememberedPlaces.get(given) ?? rememberPlace(given)
    const key = options.cacheSize === 0 ? null : cacheKey(call, place)
    const known = key === null ? undefined : cache.get(key)
    if (key !== null && known !== undefined) {
      // Last used stands last; the first is the next to go.
      cache.delete(key)
      cache.set(key, known)
      return known
    }
    files.renew()
    const made = judge(call, compiled, context)
    if (key !== null && !files.used) {
      cache.set(key, made)
      if (cache.size > options.cacheSize) cache.delete(cache.keys().next().value ?? '')
    }
    return made
  }
}

/** Where calls are judged, as it is needed again and again: a host that keeps one context per directory pays for it once. */
interface RememberedPlace {
  readonly files: WatchedFiles
  /** Looks at the disk through `files`. */
  readonly context: JudgeContext
  readonly key: string
}

function placeKey({ files, commands, ...place }: JudgeContext): string {
  const { root, cwd, home, belayHome, ownFiles, neededFiles, selfProtection, platform, harmlessEnv, trustedDirs, stopsAtRefusal } = place
  return JSON.stringify([
    root,
    cwd,
    home,
    belayHome,
    ownFiles,
    neededFiles,
    selfProtection,
    platform,
    harmlessEnv,
    trustedDirs,
    stopsAtRefusal,
  ])
}

/** null: the input is not data (it holds itself, say), so two of them cannot be told to be the same, or it is too long to be kept. */
function cacheKey({ tool, input, kind = '' }: ToolCall, place: string): string | null {
  try {
    const text = JSON.stringify(input)
    return text.length > MAX_KEY_LENGTH ? null : `${tool}\n${kind}\n${text}\n${place}`
  } catch {
    return null
  }
}
