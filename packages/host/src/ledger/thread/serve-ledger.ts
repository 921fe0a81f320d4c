// The side that writes: does what it is asked to, in the order of the requests, and answers everything that is done in one turn at once.
import type { MessagePort } from 'node:worker_threads'
import { CompiledQuery, type Kysely } from 'kysely'
import type { Tables } from '../../store/table/tables.ts'
import type { LocalLedger } from '../open-ledger.ts'
import { appendBatch } from './append-batch.ts'
import { type CallArguments, type CallName, type CallResult, describeFailure, type Reply, type Request } from './ledger-message.ts'

export interface ServeOptions {
  readonly ledger: LocalLedger
  readonly port: MessagePort
  /** After the last answer is out. */
  onClosed(): void
}

interface Transaction {
  readonly db: Kysely<Tables>
  end(isGood: boolean): void
  /** Resolves when it is on disk, or undone. */
  readonly done: Promise<void>
}

type Serve = { readonly [N in CallName]: (id: number, ...values: CallArguments<N>) => Promise<CallResult<N>> }

export function serveLedger({ ledger, port, onClosed }: ServeOptions): void {
  const answer = createAnswers(port)
  const serve = createServe(ledger)
  const take = async ([id, name, ...values]: Request): Promise<void> => {
    try {
      const call = serve[name] as (id: number, ...values: unknown[]) => Promise<unknown>
      answer([id, await call(id, ...values)])
    } catch (error) {
      answer([id, undefined, describeFailure(error)])
    }
    if (name === 'close') setImmediate(onClosed)
  }
  port.on('message', (requests: readonly Request[]) => {
    for (const request of requests) void take(request)
  })
}

/** All of one turn go out together. */
function createAnswers(port: MessagePort): (reply: Reply) => void {
  let replies: Reply[] = []
  const send = (): void => {
    port.postMessage(replies)
    replies = []
  }
  return reply => {
    // Not before every promise that was settled together has been heard.
    if (replies.push(reply) === 1) process.nextTick(send)
  }
}

function createServe(ledger: LocalLedger): Serve {
  const { store } = ledger
  const transactions = new Map<number, Transaction>()
  const find = (id: number): Transaction => {
    const transaction = transactions.get(id)
    if (!transaction) throw new Error(`there is no transaction ${id}`)
    return transaction
  }
  return {
    appendBatch: (_id, columns) => appendBatch(ledger, columns),
    checkpoint: () => ledger.checkpoint(),
    rotateKey: (_id, actor) => ledger.rotateKey(actor),
    commit: async (_id, writes) => {
      await store.commit(writes)
      return undefined
    },
    begin: async id => {
      transactions.set(id, await begin(ledger))
      return undefined
    },
    query: async (_id, transaction, sql, parameters) => {
      const { rows, numAffectedRows = 0n } = await find(transaction).db.executeQuery(CompiledQuery.raw(sql, [...parameters]))
      return { rows, changes: Number(numAffectedRows) }
    },
    end: async (_id, transaction, isGood) => {
      const { end, done } = find(transaction)
      transactions.delete(transaction)
      end(isGood)
      await done
      return undefined
    },
    close: async () => {
      await ledger.close()
      return undefined
    },
  }
}

/** Undone on purpose: not an error of anybody. */
const UNDONE = new Error('undone')

function begin({ store }: LocalLedger): Promise<Transaction> {
  return new Promise((resolve, reject) => {
    const done: Promise<void> = store
      .transact(db => new Promise<void>((finish, undo) => resolve({ db, done, end: isGood => (isGood ? finish() : undo(UNDONE)) })))
      .catch(error => {
        // Before it began: nobody has it yet.
        reject(error)
        if (error !== UNDONE && error.cause !== UNDONE) throw error
      })
    // Whoever ends it hears of it.
    done.catch(() => undefined)
  })
}
