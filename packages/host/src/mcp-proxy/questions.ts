// Questions to the user of an MCP client, by elicitation, where the client has said that it can. Only a clear yes is one. A client that
// cannot show the question after all is not asked again.
import { randomUUID } from 'node:crypto'
import { isObject } from '@belay/core/value'
import type { Json } from './message.ts'

/** unheard: nobody was shown the question, or nobody answered. */
export type Answer = 'yes' | 'no' | 'unheard'

/** To the client. */
export type Send = (message: Json) => void

export interface Questions {
  /** What the client says of itself when it begins. */
  meet(params: Json): void
  /** The way to the client where a message brings none of its own. */
  reach(send: Send): void
  /** The client has said that it can be asked. */
  isAble(): boolean
  canAsk(way?: Send): boolean
  ask(text: string, way?: Send): Promise<Answer>
  /** Takes the answer to a question of ours; false: it is none. */
  answer(message: Json): boolean
}

/** Somebody may be at lunch; the client ends a call that takes longer than it waits. */
const PATIENCE_MS = 600_000

export function createQuestions(patienceMs = PATIENCE_MS): Questions {
  const open = new Map<string, (answer: Answer) => void>()
  let isAble = false
  let usual: Send | undefined
  return {
    meet({ capabilities }) {
      isAble = isObject(capabilities) && isObject(capabilities.elicitation) && takesForms(capabilities.elicitation)
    },
    reach(send) {
      usual = send
    },
    isAble: () => isAble,
    canAsk: (way = usual) => isAble && way !== undefined,
    ask(text, way = usual) {
      if (way === undefined) return Promise.resolve('unheard')
      const id = `belay-${randomUUID()}`
      const asked = new Promise<Answer>(resolve => {
        const timer = setTimeout(resolve, patienceMs, 'unheard').unref()
        open.set(id, answer => {
          clearTimeout(timer)
          resolve(answer)
        })
      }).finally(() => open.delete(id))
      way({ jsonrpc: '2.0', id, method: 'elicitation/create', params: { message: text, requestedSchema: NOTHING_TO_FILL_IN } })
      return asked
    },
    answer(message) {
      const decide = typeof message.id === 'string' ? open.get(message.id) : undefined
      if (decide === undefined) return false
      if (!isObject(message.result)) isAble = false
      decide(isObject(message.result) ? (message.result.action === 'accept' ? 'yes' : 'no') : 'unheard')
      return true
    },
  }
}

const NOTHING_TO_FILL_IN = { type: 'object', properties: {} }

/** An empty object is how a client says that it takes forms; one that only opens addresses says so. */
function takesForms(elicitation: Json): boolean {
  return Object.keys(elicitation).length === 0 || isObject(elicitation.form)
}
