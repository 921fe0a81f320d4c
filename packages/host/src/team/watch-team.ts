// While this machine is of a team, its daemon has a thread that talks to the hub; joined and left are noticed within a moment.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { findWorker } from '../store/find-worker.ts'
import type { FromTeam, ToTeam } from './team-message.ts'

export interface UploadStart {
  readonly home: string
  readonly version: string
}

export interface WatchTeam extends UploadStart {
  onProblem(message: string): void
  hear(message: FromTeam): void
  /** There is a thread that listens from now on. */
  onStart(): void
}

export interface WatchedTeam {
  /** Lost where this machine has joined no team. */
  tell(message: ToTeam): void
  stop(): Promise<void>
}

const LOOK_MS = 2000

interface Thread {
  readonly worker: Worker
  readonly exited: Promise<void>
  readonly of: string
}

export function watchTeam({ home, version, onProblem, hear, onStart }: WatchTeam): WatchedTeam {
  const file = findWorker(import.meta.url, 'team/team.worker')
  let thread: Thread | undefined
  const start = (of: string): Thread | undefined => {
    if (file === undefined) return undefined
    const start: UploadStart = { home, version }
    const worker = new Worker(file, { workerData: start })
    worker.on('error', error => onProblem(`the thread that talks to the team's hub ended: ${error.message}`))
    worker.on('message', (message: FromTeam) => hear(message))
    const exited = new Promise<void>(resolve =>
      worker.once('exit', () => {
        thread = undefined
        hear({ kind: 'watched', isWatched: false })
        resolve()
      }),
    )
    return { worker, exited, of }
  }
  const stop = async (): Promise<void> => {
    thread?.worker.postMessage({ kind: 'stop' } satisfies ToTeam)
    await thread?.exited
  }
  const look = (): void => {
    const of = readMark(home)
    if (thread && thread.of !== of) void stop()
    else if (!thread && of !== '') {
      thread = start(of)
      if (thread) onStart()
    }
  }
  // Whoever asked for it has it in hand first.
  setImmediate(look)
  const timer = setInterval(look, LOOK_MS).unref()
  return {
    tell: message => thread?.worker.postMessage(message),
    stop: () => {
      clearInterval(timer)
      return stop()
    },
  }
}

/** Another one whenever the membership is written anew. */
function readMark(home: string): string {
  const stat = statSync(join(home, 'team', 'membership.json'), { throwIfNoEntry: false })
  return stat === undefined ? '' : `${stat.ino} ${stat.mtimeMs}`
}
