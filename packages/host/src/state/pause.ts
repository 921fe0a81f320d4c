// A person's switch: until a moment in time nothing is decided, everything is recorded. It ends by itself, and survives a restart.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolder } from '../disk/make-folder.ts'

export interface PauseState {
  /** Milliseconds since the epoch. */
  readonly until: number
  readonly by: string
  readonly reason: string | null
}

export interface Pause {
  /** null: decisions are made as usual. */
  current(): PauseState | null
  set(state: PauseState): void
  end(): void
}

export function openPause(home: string, now: () => number): Pause {
  const file = join(home, 'run', 'pause.json')
  let state = readPause(file)
  return {
    current() {
      if (state !== null && state.until <= now()) state = null
      return state
    },
    set(next) {
      makeFolder(dirname(file), 0o700)
      writeFileSync(file, `${JSON.stringify(next)}\n`, { mode: 0o600 })
      state = next
    },
    end() {
      rmSync(file, { force: true })
      state = null
    },
  }
}

/** What cannot be read is no pause: the guard stays on. */
function readPause(file: string): PauseState | null {
  try {
    const { until, by, reason }: { until?: unknown; by?: unknown; reason?: unknown } = JSON.parse(readFileSync(file, 'utf8'))
    return typeof until === 'number' && typeof by === 'string' ? { until, by, reason: typeof reason === 'string' ? reason : null } : null
  } catch {
    return null
  }
}
