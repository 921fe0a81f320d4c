// The daemon as the gate of an agent in this process: same policy, same ledger, one option. What cannot be asked is denied where it gates a call.

import { request } from 'node:http'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { GuardedCall } from '../engine/guard-call.ts'
import type { Gate } from '../engine/pipeline/gate.ts'
import { findEvent, gateOf } from '../event/table.ts'
import { toWirePayload } from '../event/wire-payload.ts'
import type { HookEvent } from '../hook/hook-event.ts'
import type { HookResult } from '../hook/hook-result.ts'
import { errorText } from '../value/error-text.ts'
import { isObject } from '../value/is-object.ts'
import { allow, ask, deny, none, type Verdict } from '../verdict/verdict.ts'
import { findBelay } from './find-belay.ts'

export interface DaemonGateOptions {
  /** `belay status --json` tells it. Default: daemon.sock under $BELAY_HOME/run. */
  readonly socket?: string
  /** AGENT_ID of this agent. */
  readonly agentId?: string
  /** What `belay run --actor` or `belay agent bind` gave this agent: it gives the role. Default: BELAY_AGENT_SECRET. Without it the actor of the
   * pipeline can only lower rights. */
  readonly secret?: string
  /** A person answers asks in this process (`approve` of the pipeline). */
  readonly attended?: boolean
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 60_000

export function createDaemonGate(options: DaemonGateOptions = {}): Gate {
  const socket = options.socket ?? join(process.env.BELAY_HOME ?? join(homedir(), '.belay'), 'run', 'daemon.sock')
  return {
    // Everything is recorded there, so everything is sent.
    isWatched: event => findEvent(event) !== null,
    async pass(event, { signal } = {}) {
      try {
        const text = await post(socket, event, options, signal)
        return guarded(event, readReply(text) ?? lost(event, 'it answered something unusable'))
      } catch (error) {
        return guarded(event, lost(event, errorText(error)))
      }
    },
  }
}

/** As adapter/answer/plugin.ts writes it; null: it is something else. */
function readReply(text: string): HookResult | null {
  const reply: unknown = JSON.parse(text)
  if (!isObject(reply)) return null
  const { decision = 'none', reason, input, prompt, output, context, message, stop } = reply
  const verdict = verdictOf(decision, reason)
  if (verdict === null) return null
  const rewrite = {
    ...(isObject(input) ? { input } : {}),
    ...(typeof prompt === 'string' ? { prompt } : {}),
    ...(output === undefined ? {} : { output }),
  }
  return {
    verdict,
    ...(Object.keys(rewrite).length === 0 ? {} : { rewrite }),
    ...(typeof context === 'string' ? { context } : {}),
    ...(typeof message === 'string' ? { message } : {}),
    ...(typeof stop === 'string' ? { stop: { reason: stop } } : {}),
  }
}

function verdictOf(decision: unknown, reason: unknown): Verdict | null {
  switch (decision) {
    case 'none':
      return none()
    case 'allow':
      return allow(reason)
    case 'ask':
      return ask(reason)
    case 'deny':
      return deny(reason)
    default:
      return null
  }
}

function lost({ name }: HookEvent, why: string): HookResult {
  const said = `the Belay daemon could not be asked (${why}); start it with \`${findBelay(process.env.PATH)} up\``
  return gateOf(name) === 'tool' ? { verdict: deny(said) } : { verdict: none(), message: said }
}

function guarded(event: HookEvent, { verdict, rewrite, context, message, stop, suppressOutput }: HookResult): GuardedCall {
  const after = applyRewrite(event, rewrite)
  const fired = {
    verdict,
    event: after,
    rewrites: [],
    context: context === undefined ? [] : [context],
    messages: message === undefined ? [] : [message],
    evidence: [],
    stop: stop ?? null,
    suppressOutput: suppressOutput ?? false,
    report: { runs: [], skipped: [], dropped: [] },
    background: [],
  }
  return { verdict, fired, judgement: null }
}

function applyRewrite(event: HookEvent, rewrite: HookResult['rewrite']): HookEvent {
  const rewrites = findEvent(event.name)?.rewrites ?? {}
  const changed: Record<string, unknown> = {}
  for (const target of ['input', 'prompt', 'output'] as const) {
    const field = rewrites[target]
    if (field !== undefined && rewrite?.[target] !== undefined) changed[field] = rewrite[target]
  }
  return Object.keys(changed).length === 0 ? event : { ...event, fields: { ...event.fields, ...changed } }
}

function post(socket: string, event: HookEvent, options: DaemonGateOptions, signal: AbortSignal | undefined): Promise<string> {
  const body = JSON.stringify(toWirePayload(event))
  const secret = options.secret ?? process.env.BELAY_AGENT_SECRET ?? ''
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'belay-actor': event.actor,
    'belay-attended': String(options.attended ?? false),
    ...(process.env.PATH ? { 'belay-path': encodeURIComponent(process.env.PATH) } : {}),
    ...(secret === '' ? {} : { 'belay-agent-secret': secret }),
    ...(options.agentId === undefined ? {} : { 'belay-agent-id': options.agentId }),
    ...(event.commitment === null ? {} : { 'belay-commitment': event.commitment }),
  }
  return new Promise((resolve, reject) => {
    const call = request(
      {
        socketPath: socket,
        method: 'POST',
        path: `/v1/hooks/in-process/${event.name}`,
        headers,
        timeout: options.timeoutMs ?? TIMEOUT_MS,
        ...(signal === undefined ? {} : { signal }),
      },
      response => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (piece: string) => {
          text += piece
        })
        response.on('error', reject)
        response.on('end', () => {
          if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`))
          else if (response.headers['belay-exit'] !== undefined && response.headers['belay-exit'] !== '0')
            resolve(denial(response.headers['belay-stderr']))
          else resolve(text)
        })
      },
    )
    call.on('timeout', () => call.destroy(new Error('no answer in time')))
    call.on('error', reject)
    call.end(body)
  })
}

/** The answer of an exit code: what stderr says is the reason. */
function denial(stderr: string | string[] | undefined): string {
  return JSON.stringify({ decision: 'deny', reason: decodeURIComponent(String(stderr ?? 'refused')).trim() })
}
