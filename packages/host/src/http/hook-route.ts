// POST /v1/hooks/{agent}/{event}: the agent's native payload in, its native answer out. What a shim sends as fields of its frame comes as
// headers `belay-*`. A decision is always 200; 503 means "not now".

import type { IncomingMessage, ServerResponse } from 'node:http'
import { EVENTS } from '@belay/core'
import { findAgent } from '@belay/core/adapter'
import { isObject } from '@belay/core/value'
import type { Decide, HookCall } from '../decision/hook-call.ts'
import type { LoadGate } from '../rpc/load-gate.ts'
import { sentVariables } from '../wire/hook-variables.ts'
import { type ShimAnswer, writtenNames } from '../wire/shim-frame.ts'
import { parseStrictJson } from '../wire/strict-json.ts'
import { readJson } from './body.ts'
import type { Route } from './route.ts'
import { SECURITY_HEADERS, sendProblem } from './server.ts'

/** As Claude Code names the fields; other agents send their own. */
const PAYLOAD = { anyOf: [...EVENTS.map(({ name }) => ({ $ref: `#/components/schemas/${name}` })), { type: 'object' }] }

export const CALL_HEADERS = {
  'belay-agent-id': 'AGENT_ID of the hook process',
  'belay-agent-secret': 'BELAY_AGENT_SECRET of the hook process: what belay run --actor or belay agent bind gave it; it gives the role',
  'belay-actor': 'BELAY_ACTOR of the hook process: a name that can only lower rights; it begins with agent:',
  'belay-commitment': 'BELAY_COMMITMENT of the hook process: one that this agent has claimed',
  'belay-event-id': 'the same id is one event, however often it comes',
  'belay-deadline-ms': 'how long the agent waits',
  'belay-attended': 'true: a person is there to be asked',
  'belay-cwd': 'where the hook process runs, for payloads without cwd',
  'belay-path': 'PATH of the agent, percent-encoded: whether its texts can say belay, or need the whole place of the program',
  'belay-env': 'a JSON object of the variables that the agent gives its hooks',
}

export interface HookRouteOptions {
  readonly decide: Decide
  readonly gate: LoadGate
  /** Where a call begins when all that came with it have been read. */
  readonly turn: { add(part: { begin(): void }): void }
}

export function createHookRoute({ decide, gate, turn }: HookRouteOptions): Route {
  const beginCall = <T>(call: () => T | Promise<T>): Promise<T> =>
    new Promise((resolve, reject) =>
      turn.add({
        begin() {
          try {
            resolve(call())
          } catch (error) {
            reject(error)
          }
        },
      }),
    )
  return {
    method: 'POST',
    path: '/v1/hooks/{agent}/{event}',
    isBare: true,
    summary:
      "An agent's hook call: native payload in, native answer out (the body is its stdout, belay-exit its exit code, belay-stderr its stderr, percent-encoded). 503: not now.",
    takes: { body: PAYLOAD, headers: CALL_HEADERS },
    async run({ request, response, parameters }) {
      const { agent = '', event = '' } = parameters
      if (findAgent(agent) === null) return sendProblem(response, 404, `There is no agent called ${agent}.`)
      const body = await readJson(request)
      if (!body.ok) return sendProblem(response, body.status, body.message)
      if (!isObject(body.value)) return sendProblem(response, 400, 'A payload is a JSON object.')
      const call = readCall(request, { agent, event, payload: body.value })
      if (typeof call === 'string') return sendProblem(response, 400, call)
      const refused = gate.enter(call.agentId ?? `peer ${request.socket.remotePort ?? 'socket'}`)
      if (refused !== null) return sendProblem(response, 503, refused)
      try {
        const answer = await beginCall(() => decide(call))
        if (answer.kind === 'busy') return sendProblem(response, 503, answer.why)
        sendAnswer(response, answer)
      } finally {
        gate.leave()
      }
    },
  }
}

const HEADERS = [...Object.entries(SECURITY_HEADERS), ['content-type', 'application/json; charset=utf-8']].flat()
/** Nothing to say, which is the answer to nearly every call. */
const NOTHING = '{}'
const NOTHING_HEADERS = listHeaders(NOTHING, 0)

function sendAnswer(response: ServerResponse, { stdout, stderr, exit }: ShimAnswer): void {
  const text = stdout === '' ? NOTHING : stdout
  const isNothing = text === NOTHING && stderr === '' && exit === 0
  const headers = isNothing ? NOTHING_HEADERS : listHeaders(text, exit)
  if (stderr !== '') headers.push('belay-stderr', encodeURIComponent(stderr))
  response.writeHead(200, headers)
  response.end(text)
}

function listHeaders(text: string, exit: number): string[] {
  return HEADERS.concat('content-length', String(Buffer.byteLength(text)), 'belay-exit', String(exit))
}

type Native = Pick<HookCall, 'agent' | 'event' | 'payload'>

/** The call, or what is wrong with its headers. */
export function readCall(request: IncomingMessage, native: Native): HookCall | string {
  const { headers } = request
  const env = readEnv(textOf(headers['belay-env']))
  if (env === null) return 'belay-env must be a JSON object of texts.'
  const deadline = textOf(headers['belay-deadline-ms'])
  if (deadline !== null && !(Number(deadline) > 0)) return 'belay-deadline-ms must be a number of milliseconds.'
  return {
    agent: native.agent,
    event: native.event,
    payload: native.payload,
    env,
    cwd: textOf(headers['belay-cwd']),
    attended: textOf(headers['belay-attended']) === 'true',
    agentId: textOf(headers['belay-agent-id']) ?? env.AGENT_ID ?? null,
    commitment: textOf(headers['belay-commitment']) ?? env.BELAY_COMMITMENT ?? null,
    names: writtenNames(textOf(headers['belay-actor']), env.BELAY_ACTOR),
    secret: textOf(headers['belay-agent-secret']),
    host: null,
    parentPid: null,
    path: decoded(headers['belay-path']),
    eventId: textOf(headers['belay-event-id']),
    deadlineMs: deadline === null ? null : Number(deadline),
  }
}

function textOf(header: string | readonly string[] | undefined): string | null {
  return typeof header === 'string' && header !== '' ? header : null
}

/** Null where it cannot be decoded. */
function decoded(header: string | readonly string[] | undefined): string | null {
  try {
    return decodeURIComponent(textOf(header) ?? '') || null
  } catch {
    return null
  }
}

function readEnv(text: string | null): Record<string, string> | null {
  if (text === null) return {}
  const parsed = parseStrictJson(text)
  if (!parsed.ok || !isObject(parsed.value)) return null
  const entries = Object.entries(parsed.value)
  return entries.every(([, value]) => typeof value === 'string') ? sentVariables(parsed.value) : null
}
