// What becomes of each message between one client and one server: calls of tools are judged, their results too, lists of tools are filtered,
// everything else passes as it came. Invariants: no call reaches the server unjudged; an answer nobody asked for does not reach the client.
import { randomUUID } from 'node:crypto'
import { BoundedMap, isObject } from '@belay/core/value'
import type { AfterCall, BeforeCall, CallJudge, FinishedCall, McpCall } from './call-judge.ts'
import { hasUnseen } from './hidden-text.ts'
import { errorAnswer, INVALID_PARAMS, INVALID_REQUEST, idOf, type Json, keyOf, type RequestId, refusedCall } from './message.ts'
import type { Questions, Send } from './questions.ts'
import { CATALOGS, type Kind, kindOf } from './request-kind.ts'
import { type Catalog, hashDefinition, type ListPage } from './tool-pins.ts'
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
  /** `way`: back to the client, where each message has its own. */
  fromClient(message: unknown, way?: Send): Passage | Promise<Passage>
  fromServer(message: unknown): Passage | Promise<Passage>
  /** Where questions to the client's user are sent; without it nobody is asked. */
  reach(send: Send): void
  /** Requests of the client that wait for an answer. */
  openRequests(): readonly RequestId[]
}

export interface GateOptions {
  readonly session: string
  readonly judge: CallJudge
  /** Of these tools those that no policy rules out for good. */
  visibleTools(names: readonly string[]): Promise<ReadonlySet<string>>
  /** Told what the server lists; gives for each tool why a person has to look at its definition first. */
  noteTools(listed: readonly unknown[], page?: ListPage): ReadonlyMap<string, string>
  /** Told what else the server lists for the model to read, null where it has listed none here; gives why a person has to look at it first. */
  noteCatalog(catalog: Catalog, listed: readonly unknown[] | null): string | null
  /** Told what the server says to the model as it greets, null where it has not greeted here; gives why a person has to look at it first. */
  noteInstructions(said: string | null): string | null
  readonly now: () => number
  /** What the client has said of itself may have come through another gate. */
  readonly questions: Questions
}

interface Running {
  readonly call: McpCall
  /** What was said to the model before it ran. */
  readonly context: string | null
  readonly since: number
}

type OpenRequest = { readonly id: RequestId } & (Kind | { readonly kind: 'call'; readonly running: Running; isAnswered: boolean })

interface Traffic extends GateOptions {
  readonly open: Map<string, OpenRequest>
  /** Calls that nobody has decided yet; true: the client has called them off. */
  readonly judging: Map<string, boolean>
  /** Why the definition of a tool has to be looked at. */
  readonly changes: Map<string, string>
  /** Why what the server says of itself has to be looked at. */
  instructionChange: string | null
  /** Why a prompt or a resource that the server lists has to be looked at. */
  readonly catalogChanges: Map<Catalog, string | null>
  /** By tool: the hash of what the server said of it last. */
  readonly definitions: Map<string, string>
  readonly questions: Questions
  /** Calls whose result is fetched later, by the id of their task. */
  readonly tasks: Map<string, Running>
}

export function createMessageGate(options: GateOptions): MessageGate {
  const traffic: Traffic = {
    ...options,
    open: new Map(),
    judging: new Map(),
    changes: new Map(options.noteTools([])),
    instructionChange: options.noteInstructions(null),
    catalogChanges: new Map([...CATALOGS.values()].map(({ catalog }) => [catalog, options.noteCatalog(catalog, null)])),
    definitions: new BoundedMap(MAX_DEFINITIONS),
    tasks: new BoundedMap(MAX_TASKS),
  }
  return {
    reach: send => traffic.questions.reach(send),
    fromClient: (message, way) => passClient(traffic, message, way),
    fromServer: message => passServer(traffic, message),
    openRequests: () => [...traffic.open.values()].map(({ id }) => id),
  }
}

const PASS: Passage = { kind: 'pass' }
const ANSWERED: Passage = { kind: 'drop', why: 'it answers a question of Belay' }
const BAD_ID = 'an id is a text, or a number that every JSON parser reads alike'

function passClient(traffic: Traffic, message: unknown, way: Send | undefined): Passage | Promise<Passage> {
  if (!isObject(message)) return { kind: 'answer', message: errorAnswer(null, INVALID_REQUEST, 'a message is a JSON object') }
  const { method } = message
  const id = idOf(message)
  if (typeof method !== 'string') return traffic.questions.answer(message) ? ANSWERED : PASS
  if (id === null && Object.hasOwn(message, 'id')) return { kind: 'answer', message: errorAnswer(null, INVALID_REQUEST, BAD_ID) }
  if (method === 'initialize') traffic.questions.meet(paramsOf(message))
  if (method === 'tools/call') return judgeCall(traffic, message, way)
  if (method === 'resources/read' || method === 'resources/subscribe') return judgeReading(traffic, message, way)
  if (method === 'notifications/cancelled') return callOff(traffic, paramsOf(message))
  return id === null ? PASS : passRequest(traffic, id, method, paramsOf(message))
}

async function judgeCall(traffic: Traffic, message: Json, way: Send | undefined): Promise<Passage> {
  const id = idOf(message)
  const { judging, session } = traffic
  const read = readCall(message, session)
  if (typeof read === 'string') return { kind: 'answer', message: errorAnswer(id, INVALID_PARAMS, read) }
  const key = id === null ? null : keyOf(id)
  if (key !== null) judging.set(key, false)
  const said = await settle(traffic, { ...read, ...definitionOf(traffic, read.tool), canAsk: traffic.questions.canAsk(way) }, way)
  const isCalledOff = key !== null && judging.get(key) === true
  if (key !== null) judging.delete(key)
  if (isCalledOff) return { kind: 'drop', why: `${read.tool} was called off before it was decided` }
  if (said.kind === 'deny') return refuse(message, id, said.reason)
  const call = { ...read, input: said.input ?? read.input }
  if (id !== null) expectResult(traffic, id, { call, context: said.context, since: traffic.now() })
  return said.input === null ? PASS : { kind: 'replace', message: { ...message, params: { ...paramsOf(message), arguments: said.input } } }
}

/** A resource is often a file: it is read like one, as a tool of the server that is called `read_resource`. */
async function judgeReading(traffic: Traffic, message: Json, way: Send | undefined): Promise<Passage> {
  const id = idOf(message)
  const params = paramsOf(message)
  const { uri } = params
  if (typeof uri !== 'string') return { kind: 'answer', message: errorAnswer(id, INVALID_PARAMS, 'params.uri must be a text') }
  const { session, questions } = traffic
  const call = { session, tool: READING, input: { uri }, useId: randomUUID(), ...definitionOf(traffic, READING) }
  const said = await settle(traffic, { ...call, canAsk: questions.canAsk(way) }, way)
  if (said.kind === 'deny') {
    return id === null ? { kind: 'drop', why: said.reason } : { kind: 'answer', message: errorAnswer(id, INVALID_REQUEST, said.reason) }
  }
  if (id !== null) traffic.open.set(keyOf(id), { id, kind: 'other' })
  return said.input === null ? PASS : { kind: 'replace', message: { ...message, params: { ...params, ...said.input } } }
}

const READING = 'read_resource'

function definitionOf(traffic: Traffic, tool: string): Pick<McpCall, 'definition' | 'definitionChange'> {
  const { changes, definitions, instructionChange, catalogChanges } = traffic
  const definition = definitions.get(tool)
  const listed = [...catalogChanges.values()].find(change => change !== null) ?? null
  return { definitionChange: changes.get(tool) ?? instructionChange ?? listed, ...(definition === undefined ? {} : { definition }) }
}

/** A call that a person must agree to is put to the client's user. */
async function settle({ judge, questions }: Traffic, call: McpCall, way: Send | undefined): Promise<BeforeCall> {
  const said = await judge.before(call)
  if (said.kind !== 'run' || said.ask === undefined) return said
  const answer = await questions.ask(`${said.ask}\n\n${call.tool} ${JSON.stringify(said.input ?? call.input).slice(0, MAX_SHOWN)}`, way)
  if (answer === 'yes') return said
  if (answer === 'no') return { kind: 'deny', reason: `Tool denied: ${said.ask} (its user did not agree)` }
  // As where the client had never said that it can: people are asked in other ways, or told how to approve it.
  return judge.before({ ...call, canAsk: false })
}

const MAX_SHOWN = 2000

/** The call, or why it cannot be judged. */
function readCall(message: Json, session: string): McpCall | string {
  const { name, arguments: input = {} } = paramsOf(message)
  if (typeof name !== 'string' || name === '') return 'params.name must be the name of a tool'
  if (!isToolName(name)) return `params.name ${JSON.stringify(name)}: the name of a tool has no blanks and no characters that nobody sees`
  if (!isObject(input)) return 'params.arguments must be an object'
  return { session, tool: name, input, useId: randomUUID(), definitionChange: null }
}

/** Another name could be cut off or read differently by whoever gets it. */
function isToolName(name: string): boolean {
  return !/[\s\p{C}\p{Z}]/u.test(name) && !hasUnseen(name)
}

function refuse(message: Json, id: RequestId | null, reason: string): Passage {
  if (id === null) return { kind: 'drop', why: reason }
  // Whoever asked for a task could not read a result in its place.
  if (paramsOf(message).task !== undefined) return { kind: 'answer', message: errorAnswer(id, INVALID_REQUEST, reason) }
  return { kind: 'answer', message: refusedCall(id, reason) }
}

function expectResult({ open }: Traffic, id: RequestId, running: Running): void {
  open.set(keyOf(id), { id, kind: 'call', running, isAnswered: false })
}

function callOff(traffic: Traffic, { requestId }: Json): Passage {
  const { judging, open } = traffic
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
  if (request?.kind === 'call') void finish(traffic, request.running, { kind: 'failure', error: 'called off by the client' })
  return PASS
}

function passRequest(traffic: Traffic, id: RequestId, method: string, { taskId, cursor }: Json): Passage {
  const running = method === 'tasks/result' && typeof taskId === 'string' ? traffic.tasks.get(taskId) : undefined
  if (running !== undefined) expectResult(traffic, id, running)
  else traffic.open.set(keyOf(id), { id, ...kindOf(method, typeof cursor === 'string') })
  return PASS
}

function passServer(traffic: Traffic, message: unknown): Passage | Promise<Passage> {
  if (!isObject(message) || !(Object.hasOwn(message, 'result') || Object.hasOwn(message, 'error'))) return PASS
  if (Object.hasOwn(message, 'method')) return { kind: 'drop', why: 'it is a request and an answer at once' }
  const id = idOf(message)
  // Without an id it can only say that it could not read what it was sent.
  if (id === null) return Object.hasOwn(message, 'error') ? PASS : { kind: 'drop', why: 'it answers no request' }
  const { open } = traffic
  const key = keyOf(id)
  const request = open.get(key)
  if (request === undefined) return { kind: 'drop', why: `nobody waits for an answer to ${JSON.stringify(id)}` }
  if (request.kind !== 'call') {
    open.delete(key)
    if (request.kind === 'greeting') noteGreeting(traffic, message)
    if (request.kind === 'catalog') noteListed(traffic, request.catalog, message)
    return request.kind === 'list' ? filterTools(traffic, message, request.isNext) : PASS
  }
  if (request.isAnswered) return { kind: 'drop', why: `${JSON.stringify(id)} was answered before` }
  request.isAnswered = true
  return judgeResult(traffic, message, request.running).finally(() => open.delete(key))
}

/** Clients put these instructions before their model, as they do definitions. */
function noteGreeting(traffic: Traffic, { result }: Json): void {
  if (!isObject(result)) return
  traffic.instructionChange = traffic.noteInstructions(typeof result.instructions === 'string' ? result.instructions : '')
}

function noteListed({ catalogChanges, noteCatalog }: Traffic, catalog: Catalog, { result }: Json): void {
  const field = [...CATALOGS.values()].find(each => each.catalog === catalog)?.field ?? catalog
  const listed = isObject(result) ? result[field] : undefined
  if (Array.isArray(listed)) catalogChanges.set(catalog, noteCatalog(catalog, listed))
}

async function filterTools({ visibleTools, noteTools, changes, definitions }: Traffic, message: Json, isNext: boolean): Promise<Passage> {
  const { result } = message
  if (!isObject(result) || !Array.isArray(result.tools)) return PASS
  changes.clear()
  for (const [name, why] of noteTools(result.tools, { isNext, hasMore: typeof result.nextCursor === 'string' })) changes.set(name, why)
  for (const { name, ...definition } of result.tools.filter(isObject)) definitions.set(String(name), hashDefinition(definition))
  const nameOf = (tool: unknown): string => (isObject(tool) && typeof tool.name === 'string' ? tool.name : '')
  const visible = await visibleTools(result.tools.map(nameOf))
  const tools = result.tools.filter(tool => visible.has(nameOf(tool)) && isToolName(nameOf(tool)))
  return tools.length === result.tools.length ? PASS : { kind: 'replace', message: { ...message, result: { ...result, tools } } }
}

async function judgeResult(traffic: Traffic, message: Json, running: Running): Promise<Passage> {
  if (isObject(message.error)) {
    const error = String(message.error.message ?? 'the server gave no reason')
    const { notes } = await finish(traffic, running, { kind: 'failure', error })
    return notes.length === 0 ? PASS : { kind: 'replace', message: withMessage(message, notes) }
  }
  const result = isObject(message.result) ? message.result : {}
  const taskId = isObject(result.task) ? result.task.taskId : undefined
  if (typeof taskId === 'string') return rememberTask(traffic, taskId, running)
  if (result.resultType === 'input_required') {
    await finish(traffic, running, { kind: 'failure', error: 'the server wants more input before it runs this' })
    return PASS
  }
  const outcome = result.isError === true ? { kind: 'failure' as const, error: errorText(result) } : { kind: 'result' as const, result }
  const changed = applyAfter(result, running.context, await finish(traffic, running, outcome))
  return changed === null ? PASS : { kind: 'replace', message: { ...message, result: changed } }
}

const MAX_TASKS = 1000
const MAX_DEFINITIONS = 10_000

function rememberTask({ tasks }: Traffic, taskId: string, running: Running): Passage {
  tasks.set(taskId, running)
  return PASS
}

function finish({ judge, now }: Traffic, { call, since }: Running, outcome: FinishedCall['outcome']): Promise<AfterCall> {
  return judge.after(call, { outcome, durationMs: now() - since })
}

function paramsOf({ params }: Json): Json {
  return isObject(params) ? params : {}
}
