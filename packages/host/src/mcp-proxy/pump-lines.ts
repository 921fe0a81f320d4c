// Messages from a stream of lines through the gate, and onto one. What passes keeps its order; what has to be asked about does not hold up the rest.
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { createLineReader } from '../wire/line-reader.ts'
import type { MessageGate } from './message-gate.ts'
import type { Relayed } from './relay-text.ts'

export interface Pumping {
  readonly gate: MessageGate
  report(problem: string): void
}

const MAX_BYTES = 64 * 1024 * 1024

type Relay = (text: string, gate: MessageGate) => Relayed | Promise<Relayed>
type Send = (relayed: Relayed) => Promise<void> | undefined

/** Ends when the stream has, and everything that was asked about it is sent. */
export async function pumpLines(stream: Readable, relay: Relay, { gate, report }: Pumping, send: Send): Promise<void> {
  const reader = createLineReader(MAX_BYTES)
  const asked = new Set<Promise<void>>()
  const finish = (relayed: Relayed): Promise<void> | undefined => {
    for (const why of relayed.dropped) report(`held back: ${why}`)
    return send(relayed)
  }
  const take = (text: string): Promise<void> | undefined => {
    const relayed = relay(text, gate)
    if (!(relayed instanceof Promise)) return finish(relayed)
    // Not waited for: a call that a person is asked about must not hold up the others.
    const done = relayed.then(finish).catch(error => report(String(error)))
    asked.add(done)
    void done.then(() => asked.delete(done))
    return undefined
  }
  try {
    for await (const chunk of stream) {
      for (const line of reader.push(chunk)) {
        if (line.kind !== 'line')
          report(line.kind === 'too-long' ? `held back: a line of more than ${MAX_BYTES} bytes` : 'held back: a line that is not UTF-8')
        else if (line.text.trim() !== '') await take(line.text)
      }
    }
  } catch (error) {
    // Closed by ourselves, at the end.
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE')) report(String(error))
  }
  await Promise.all(asked)
}

/** Writes lines, and waits where the reader is slow. */
export function openLines(stream: Writable): (text: string) => Promise<void> | undefined {
  let isBroken = false
  stream.on('error', () => {
    isBroken = true
  })
  return text => {
    if (isBroken || stream.destroyed || stream.write(`${text}\n`)) return undefined
    return Promise.race([once(stream, 'drain'), once(stream, 'close')]).then(
      () => undefined,
      () => undefined,
    )
  }
}
