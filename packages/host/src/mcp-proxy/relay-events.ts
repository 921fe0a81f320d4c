// A stream of server-sent events through the gate, in order. An event that nobody changed keeps its bytes; ids and retry times stay, so that a
// client can take the stream up again.
import type { Readable } from 'node:stream'
import { createLineReader } from '../wire/line-reader.ts'
import type { MessageGate } from './message-gate.ts'
import { relayServerText } from './relay-text.ts'

export interface EventSink {
  write(text: string): void
  /** undefined: there is room for more. */
  drained(): Promise<void> | undefined
  report(problem: string): void
}

const MAX_BYTES = 64 * 1024 * 1024

export async function relayEvents(stream: Readable, gate: MessageGate, sink: EventSink): Promise<void> {
  const reader = createLineReader(MAX_BYTES)
  let lines: string[] = []
  for await (const chunk of stream) {
    for (const line of reader.push(chunk)) {
      if (line.kind !== 'line') throw new Error(line.kind === 'too-long' ? 'an event is too large' : 'an event is not UTF-8')
      lines.push(line.text)
      if (line.text !== '' && line.text !== '\r') continue
      const event = lines
      lines = []
      sink.write(await relayEvent(event, gate, sink))
      await sink.drained()
    }
  }
}

/** `lines`: with the empty one that ends the event. */
async function relayEvent(lines: readonly string[], gate: MessageGate, { report }: EventSink): Promise<string> {
  const data = lines.filter(isData).map(dataOf).join('\n')
  const raw = lines.map(line => `${line}\n`).join('')
  if (data === '') return raw
  const { on, dropped } = await relayServerText(data, gate)
  for (const why of dropped) report(`held back: ${why}`)
  if (on === data) return raw
  const rest = lines.slice(0, -1).filter(line => !isData(line))
  const kept = on === null ? rest : [...rest, `data: ${on}`]
  return kept.length === 0 ? '' : `${kept.join('\n')}\n\n`
}

export function spellEvent(data: string): string {
  return `event: message\ndata: ${data}\n\n`
}

function isData(line: string): boolean {
  return line === 'data' || line.startsWith('data:')
}

function dataOf(line: string): string {
  return line.slice('data:'.length).replace(/^ /, '').replace(/\r$/, '')
}
