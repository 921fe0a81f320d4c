// Server-sent events over fetch: the browser's own EventSource cannot send the page's key along.
import type { Source } from './create-stream.ts'

type Listener = Parameters<Source['addEventListener']>[1]

export function openEventSource(url: string, headers: Readonly<Record<string, string>>): Source {
  const listeners = new Map<string, Set<Listener>>()
  const ended = new AbortController()
  const tell = (type: string, data = '', lastEventId = '') => {
    if (ended.signal.aborted) return
    for (const listener of listeners.get(type) ?? []) listener({ data, lastEventId })
  }
  void follow(url, { headers, signal: ended.signal }, tell).catch(() => tell('error'))
  return {
    addEventListener(type, listener) {
      listeners.set(type, (listeners.get(type) ?? new Set()).add(listener))
    },
    close: () => ended.abort(),
  }
}

type Tell = (type: string, data?: string, lastEventId?: string) => void

async function follow(url: string, init: { readonly headers: Readonly<Record<string, string>>; readonly signal: AbortSignal }, tell: Tell) {
  const response = await fetch(url, { ...init, credentials: 'same-origin', cache: 'no-store' })
  if (!response.ok || response.body === null) return tell('error')
  tell('open')
  const read = createEventReader(tell)
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return tell('error')
    read(value)
  }
}

/** Text comes in pieces of any size; an event ends with an empty line. */
export function createEventReader(tell: Tell): (piece: string) => void {
  let rest = ''
  return piece => {
    const blocks = (rest + piece).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      let [type, data, id] = ['', '', '']
      for (const line of block.split('\n')) {
        if (line.startsWith('data: ')) data += line.slice(6)
        else if (line.startsWith('event: ')) type = line.slice(7)
        else if (line.startsWith('id: ')) id = line.slice(4)
      }
      if (type !== '') tell(type, data, id)
    }
  }
}
