// What becomes of each message between one client and one server: calls of tools are judged, their results too, lists of tools are filtered,
// everything else passes as it came. Invariants: no call reaches the server unjudged; an answer nobody asked for does not reach the client.
import { randomUUID } from 'node:crypto'
import type { AfterCall, CallJudge, FinishedCall, McpCall } from './call-judge.ts'
import { errorAnswer, INVALID_PARAMS, INVALID_REQUEST, idOf, isObject, type Json, keyOf, type RequestId, refusedCall } from './message.ts'
import { applyAfter, errorText, withMessage } from './tool-result.ts'

export type Passage =
  /** On as it came. */
  | { readonly kind: 'pass' }
  /** On, but changed. */
  | { readonly kind: 'replace'; readonly message: Json }
  /** Back to whoever sent it. */
  | { readonly kind: 'answer'; readonly message: Json }
  | { readonly kind: 'drop'; readonly why: string }

export interface MessageGate {
  fromClient(message: unknown): Passage | Promise<Passage>
  fromServer(message: unknown): Passage | Promise<Passage>
  /** Requests of the client that wait for an answer. */
  openRequests(): readonly RequestId[]
}

export interface GateOptions {
  readonly session: string
  readonly judge: CallJudge
  /** Of these tools those that no policy rules out for good. */
  visibleTools(names: readonly string[]): Promise<ReadonlySet<string>>
  readonly now: () => number
}

type Running = { readonly call: McpCall; readonly context: string | null; readonly since: number }

type OpenRequest = { readonly id: RequestId } & (
  | { readonly kind: 'other' | 'list' }
  | { readonly kind: 'call'; readonly running: Running; isAnswered: boolean }
)

const PASS: Passage = { kind: 'pass' }
const MOST_TASKS = 1000
const BAD_ID = 'an id is a text, or a number that every JSON parser reads alike'

export function createMessageGate(options: GateOptions): MessageGate {
  const { judge } = options
  const open = new Map<string, OpenRequest>()
  /** Calls that nobody has decided yet; true: the client has called them off. */
  const judging = new Map<string, boolean>()
  /** Calls whose result is fetched later, by the id of their task. */
  const tasks = new Map<string, Running>()

  async function judgeCall(message: Json, id: RequestId | null): Promise<Passage> {
    const read = readCall(message, options.session)
    if (typeof read === 'string') return { kind: 'answer', message: errorAnswer(id, INVALID_PARAMS, read) }
    const key = id === null ? null : keyOf(id)
    if (key !== null) judging.set(key, false)
    const said = await judge.before(read)
    const isCalledOff = key !== null && judging.get(key) === true
    if (key !== null) judging.delete(key)
    if (isCalledOff) return { kind: 'drop', why: `${read.tool} was called off before it was decided` }
    if (said.kind === 'deny') return refuse(message, id, said.reason)
    const call = { ...read, input: said.input ?? read.input }
    if (id !== null) openRequest({ id, kind: 'call', running: { call, context: said.context, since: options.now() }, isAnswered: false })
    return said.input === null
      ? PASS
      : { kind: 'replace', message: { ...message, params: { ...paramsOf(message), arguments: said.input } } }
  }

  function openRequest(request: OpenRequest): void {
    open.set(keyOf(request.id), request)
  }

  function passRequest(id: RequestId, method: string, params: Json): Passage {
    const running = method === 'tasks/result' && typeof params.taskId === 'string' ? tasks.get(params.taskId) : undefined
    if (running !== undefined) openRequest({ id, kind: 'call', running, isAnswered: false })
    else openRequest({ id, kind: method === 'tools/list' ? 'list' : 'other' })
    return PASS
  }

  function callOff({ requestId }: Json): Passage {
    const id = idOf({ id: requestId })
    if (id === null) return PASS
    const key = keyOf(id)
    if (judging.has(key)) {
      judging.set(key, true)
      // The server never heard of it.
      return { kind: 'drop', why: 'it is about a call that was not sent on' }
    }
    const request = open.get(key)
    open.delete(key)
    if (request?.kind === 'call') void finish(request.running, { kind: 'failure', error: 'called off by the client' })
    return PASS
  }

  function finish({ call, since }: Running, outcome: FinishedCall['outcome']): Promise<AfterCall> {
    return judge.after(call, { outcome, durationMs: options.now() - since })
  }

  async function judgeResult(message: Json, running: Running): Promise<Passage> {
    if (isObject(message.error)) {
      const { notes } = await finish(running, { kind: 'failure', error: String(message.error.message ?? 'the server gave no reason') })
      return notes.length === 0 ? PASS : { kind: 'replace', message: withMessage(message, notes) }
    }
    const result = isObject(message.result) ? message.result : {}
    const taskId = isObject(result.task) ? result.task.taskId : undefined
    if (typeof taskId === 'string') return rememberTask(taskId, running)
    if (result.resultType === 'input_required') {
      await finish(running, { kind: 'failure', error: 'the server wants more input before it runs this' })
      return PASS
    }
    const outcome = result.isError === true ? { kind: 'failure' as const, error: errorText(result) } : { kind: 'result' as const, result }
    const changed = applyAfter(result, running.context, await finish(running, outcome))
    return changed === null ? PASS : { kind: 'replace', message: { ...message, result: changed } }
  }

  function rememberTask(taskId: string, running: Running): Passage {
    if (tasks.size >= MOST_TASKS) tasks.delete(tasks.keys().next().value ?? '')
    tasks.set(taskId, running)
    return PASS
  }

  async function filterTools(message: Json): Promise<Passage> {
    const { result } = message
    if (!isObject(result) || !Array.isArray(result.tools)) return PASS
    const nameOf = (tool: unknown): string => (isObject(tool) && typeof tool.name === 'string' ? tool.name : '')
    const visible = await options.visibleTools(result.tools.map(nameOf))
    const tools = result.tools.filter(tool => visible.has(nameOf(tool)))
    return tools.length === result.tools.length ? PASS : { kind: 'replace', message: { ...message, result: { ...result, tools } } }
  }

  return {
    fromClient(message) {
      if (!isObject(message)) return { kind: 'answer', message: errorAnswer(null, INVALID_REQUEST, 'a message is a JSON object') }
      const { method } = message
      const id = idOf(message)
      if (typeof method !== 'string') return PASS
      if (id === null && Object.hasOwn(message, 'id')) return { kind: 'answer', message: errorAnswer(null, INVALID_REQUEST, BAD_ID) }
      if (method === 'tools/call') return judgeCall(message, id)
      if (method === 'notifications/cancelled') return callOff(paramsOf(message))
      return id === null ? PASS : passRequest(id, method, paramsOf(message))
    },
    fromServer(message) {
      if (!isObject(message) || !(Object.hasOwn(message, 'result') || Object.hasOwn(message, 'error'))) return PASS
      if (Object.hasOwn(message, 'method')) return { kind: 'drop', why: 'it is a request and an answer at once' }
      const id = idOf(message)
      // Without an id it can only say that it could not read what it was sent.
      if (id === null) return Object.hasOwn(message, 'error') ? PASS : { kind: 'drop', why: 'it answers no request' }
      const request = open.get(keyOf(id))
      if (request === undefined) return { kind: 'drop', why: `nobody waits for an answer to ${JSON.stringify(id)}` }
      if (request.kind !== 'call') {
        open.delete(keyOf(id))
        return request.kind === 'list' ? filterTools(message) : PASS
      }
      if (request.isAnswered) return { kind: 'drop', why: `${JSON.stringify(id)} was answered before` }
      request.isAnswered = true
      return judgeResult(message, request.running).finally(() => open.delete(keyOf(id)))
    },
    openRequests: () => [...open.values()].map(({ id }) => id),
  }
}

function paramsOf({ params }: Json): Json {
  return isObject(params) ? params : {}
}

/** The call, or why it cannot be judged. */
function readCall(message: Json, session: string): McpCall | string {
  const { name, arguments: input = {} } = paramsOf(message)
  if (typeof name !== 'string' || name === '') return 'params.name must be the name of a tool'
  if (!isObject(input)) return 'params.arguments must be an object'
  return { session, tool: name, input, useId: randomUUID() }
}

function refuse(message: Json, id: RequestId | null, reason: string): Passage {
  if (id === null) return { kind: 'drop', why: reason }
  // Whoever asked for a task could not read a result in its place.
  if (paramsOf(message).task !== undefined) return { kind: 'answer', message: errorAnswer(id, INVALID_REQUEST, reason) }
  return { kind: 'answer', message: refusedCall(id, reason) }
}
