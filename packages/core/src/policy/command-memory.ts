// Commands that came before, with what was found out about them: agents run the same ones all day. How a text parses never changes; how it is
// judged is kept only where the disk was not asked, because links may be turned at any time.
// A command is kept when it comes a second time: those that come once would only fill the memory, and must cost nothing.
import type { ShellAnalysis } from '../match/shell/shell-analysis.ts'
import type { JudgedCommand } from './judge-shell.ts'
import type { WatchedFiles } from './watched-files.ts'

export interface KnownCommand {
  readonly analysis: ShellAnalysis
  /** What the analysis cost. */
  readonly work: number
  /** null: a file had a say in it. */
  readonly judged: JudgedCommand | null
}

/** Of one place: everything but the tool, the directory and the text is the same. */
export interface CommandMemory {
  /** null: nothing is known of it. */
  recall(tool: string, cwd: string, command: string): KnownCommand | null
  /** What `recall` did not know when it was asked last. */
  keep(known: KnownCommand): void
  readonly files: WatchedFiles
}

/** The key of a longer command costs more than judging it, and thousands of them would fill the memory. */
const LONGEST = 4096
/** A power of two. */
const TRACES = 4096

/** Memories that share one bound: what was not asked for while as many others came is forgotten. */
export function createCommandMemories(kept: number): (files: WatchedFiles) => CommandMemory {
  let recent = new Map<string, KnownCommand>()
  let earlier = new Map<string, KnownCommand>()
  const traces = new Int32Array(TRACES)
  let places = 0

  function put(key: string, known: KnownCommand): void {
    if (recent.size >= kept) {
      earlier = recent
      recent = new Map()
    }
    recent.set(key, known)
  }

  /** May err: then a command is kept when it comes first. */
  function cameBefore(command: string): boolean {
    const trace = traceOf(command)
    const slot = trace & (TRACES - 1)
    if (traces[slot] === trace) return true
    traces[slot] = trace
    return false
  }

  return files => {
    const place = ++places
    let unknown: string | null = null
    return {
      files,
      recall(tool, cwd, command) {
        unknown = null
        if (command.length > LONGEST || !cameBefore(command)) return null
        // Directories and commands may hold any character, so the lengths say where one ends.
        const key = `${place} ${tool.length} ${cwd.length} ${tool}${cwd}${command}`
        const known = recent.get(key)
        if (known !== undefined) return known
        const before = earlier.get(key)
        if (before === undefined) unknown = key
        else put(key, before)
        return before ?? null
      },
      keep(known) {
        if (unknown !== null) put(unknown, known)
        unknown = null
      },
    }
  }
}

const MAX_READ = 64

/** Few of its characters tell a command from most others; a long one is not read whole. */
function traceOf(command: string): number {
  const { length } = command
  const step = Math.max(1, Math.floor(length / MAX_READ))
  let trace = length
  for (let at = 0; at < length; at += step) trace = (Math.imul(trace, 31) + command.charCodeAt(at)) | 0
  return trace
}
