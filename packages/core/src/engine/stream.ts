// Firing for somebody who watches: progress as an async iterator that ends with the result. Leaving the loop early cancels the hooks.
import type { HookEvent } from '../hook/hook-event.ts'
import type { EngineParts, FireOptions } from './engine-parts.ts'
import { fire } from './fire.ts'
import type { FireResult, HookRun } from './fire-result.ts'

export type Progress =
  /** `status`: what the hook wants shown meanwhile. */
  | { readonly kind: 'started'; readonly hook: string; readonly status: string | null }
  | { readonly kind: 'output'; readonly hook: string; readonly text: string }
  | { readonly kind: 'completed' | 'cancelled'; readonly hook: string; readonly run: HookRun }
  | { readonly kind: 'result'; readonly result: FireResult }

export type StreamOptions = Omit<FireOptions, 'observer' | 'report' | 'mode'>

export async function* stream(
  parts: EngineParts,
  event: HookEvent,
  options: StreamOptions = {},
): AsyncGenerator<Progress, void, undefined> {
  const leaving = new AbortController()
  const signal = options.signal === undefined ? leaving.signal : AbortSignal.any([options.signal, leaving.signal])
  const waiting: Progress[] = []
  let wake: () => void = ignore
  const tell = (progress: Progress) => {
    waiting.push(progress)
    wake()
  }
  const observer = {
    started: (hook: string, status: string | null) => tell({ kind: 'started', hook, status }),
    output: (hook: string, text: string) => tell({ kind: 'output', hook, text }),
    ended: (run: HookRun) => tell({ kind: run.outcome === 'cancelled' ? 'cancelled' : 'completed', hook: run.hook, run }),
  }
  try {
    void Promise.resolve(fire(parts, event, { ...options, signal, observer })).then(result => tell({ kind: 'result', result }))
    for (;;) {
      const progress = waiting.shift()
      if (progress === undefined) {
        await new Promise<void>(resolve => {
          wake = resolve
        })
        continue
      }
      yield progress
      if (progress.kind === 'result') return
    }
  } finally {
    leaving.abort()
  }
}

function ignore(): void {
  // Nobody waits yet: the progress stays in the list.
}
