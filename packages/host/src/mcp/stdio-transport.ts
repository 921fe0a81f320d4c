// Lines of stdin and stdout for the MCP server. Calls of tools in a session of the 2025 protocol are handed to `answerCall` first: what it can
// answer by itself skips the layers of the package, which cost more than the call.
import type { Readable, Writable } from 'node:stream'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server'
import { createLineReader } from '../wire/line-reader.ts'

/** The result of a call; null: the package answers it, with its own checks and errors. */
export type AnswerCall = (params: Readonly<Record<string, unknown>>) => Promise<object> | null

export interface StdioStreams {
  readonly stdin: Readable
  readonly stdout: Writable
}

const MAX_BYTES = 64 * 1024 * 1024

export function createStdioTransport({ stdin, stdout }: StdioStreams, answerCall: AnswerCall): Transport {
  const reader = createLineReader(MAX_BYTES)
  let isInitialized = false
  const send = (message: object): void => void stdout.write(`${JSON.stringify(message)}\n`)

  function take(message: Message): void {
    if (message.method === 'initialize') isInitialized = true
    const answered = isInitialized && isPlainCall(message) ? answerCall(message.params) : null
    if (answered === null) transport.onmessage?.(message as JSONRPCMessage)
    else answered.then(result => send({ jsonrpc: '2.0', id: message.id, result })).catch(error => transport.onerror?.(error))
  }

  const transport: Transport = {
    async start() {
      stdin.on('data', (chunk: Buffer) => {
        for (const line of reader.push(chunk)) {
          const message = line.kind === 'line' ? parseMessage(line.text) : null
          if (message !== null) take(message)
          else if (line.kind !== 'line' || line.text.trim() !== '')
            transport.onerror?.(new Error('a line that is no message was passed over'))
        }
      })
      stdin.on('error', error => transport.onerror?.(error))
      stdout.on('error', error => transport.onerror?.(error))
      stdin.on('close', () => transport.onclose?.())
    },
    send: async message => send(message),
    async close() {
      stdin.pause()
      transport.onclose?.()
    },
  }
  return transport
}

interface Message {
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: unknown
}

interface PlainCall extends Message {
  readonly params: Readonly<Record<string, unknown>>
}

/** One that wants a result and nothing else: no task. */
function isPlainCall(message: Message): message is PlainCall {
  const { id, method, params } = message
  if (method !== 'tools/call' || (typeof id !== 'string' && typeof id !== 'number')) return false
  return typeof params === 'object' && params !== null && !('task' in params)
}

function parseMessage(text: string): Message | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : null
  } catch {
    return null
  }
}
