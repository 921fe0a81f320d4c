// One text (a line, a body, the data of an event) through the gate: what goes on, what goes back. Bytes that nobody changed stay as they are.
import { errorAnswer, type Json, PARSE_ERROR, parseClientText, parseServerText } from './message.ts'
import type { MessageGate, Passage } from './message-gate.ts'
import type { Send } from './questions.ts'

export interface Relayed {
  /** null: nothing goes on. */
  readonly on: string | null
  /** Answers of the gate itself. */
  readonly back: readonly Json[]
  /** What was held back, one sentence each. */
  readonly dropped: readonly string[]
  readonly isBatch: boolean
}

/** `way`: back to the client, where each text has its own. */
export function relayClientText(text: string, gate: MessageGate, way?: Send): Relayed | Promise<Relayed> {
  const parsed = parseClientText(text)
  if (!parsed.ok) return { ...NOTHING, back: [errorAnswer(null, PARSE_ERROR, parsed.why)], dropped: [`the client: ${parsed.why}`] }
  return relay(
    text,
    parsed,
    parsed.messages.map(message => gate.fromClient(message, way)),
  )
}

export function relayServerText(text: string, gate: MessageGate): Relayed | Promise<Relayed> {
  const parsed = parseServerText(text)
  if (!parsed.ok) return { ...NOTHING, dropped: [`the server: ${parsed.why}: ${text.slice(0, SHOWN)}`] }
  return relay(text, parsed, parsed.messages.map(gate.fromServer))
}

const NOTHING: Relayed = { on: null, back: [], dropped: [], isBatch: false }
const SHOWN = 200

interface Batch {
  readonly messages: readonly unknown[]
  readonly isBatch: boolean
}

/** At once where nothing had to be asked: messages that only pass keep their order. */
function relay(text: string, batch: Batch, passages: readonly (Passage | Promise<Passage>)[]): Relayed | Promise<Relayed> {
  const isReady = passages.every((passage): passage is Passage => !(passage instanceof Promise))
  return isReady ? join(text, batch, passages) : Promise.all(passages).then(ready => join(text, batch, ready))
}

function join(text: string, { messages, isBatch }: Batch, passages: readonly Passage[]): Relayed {
  const back = passages.flatMap(passage => (passage.kind === 'answer' ? [passage.message] : []))
  const dropped = passages.flatMap(passage => (passage.kind === 'drop' ? [passage.why] : []))
  if (passages.every(({ kind }) => kind === 'pass')) return { on: text, back, dropped, isBatch }
  const going = passages.flatMap((passage, at) =>
    passage.kind === 'pass' ? [messages[at]] : passage.kind === 'replace' ? [passage.message] : [],
  )
  return { on: going.length === 0 ? null : JSON.stringify(isBatch ? going : going[0]), back, dropped, isBatch }
}

/** Answers to a batch are a batch. */
export function spellAnswers(answers: readonly Json[], isBatch: boolean): string {
  return isBatch ? JSON.stringify(answers) : answers.map(answer => JSON.stringify(answer)).join('\n')
}
