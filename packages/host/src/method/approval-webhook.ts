// POST /v1/approvals/webhook: a decision from outside, {id, decision: allow | deny, by: "human:...", note?}. Needs no token: its signature is one.
import type { Approvals } from '../approval/open-approvals.ts'
import { isSigned, SIGNATURE_HEADER } from '../approval/webhook-signature.ts'
import type { Route } from '../http/route.ts'
import { sendJson, sendProblem } from '../http/server.ts'
import { RpcError } from '../rpc/rpc.ts'
import { parseStrictJson } from '../wire/strict-json.ts'
import { needApprover, needPending } from './approvals.ts'

export interface WebhookRouteOptions {
  readonly approvals: Approvals
  readonly key: () => Uint8Array
  readonly now: () => number
}

const MAX_BYTES = 64 * 1024

export function createWebhookRoute({ approvals, key, now }: WebhookRouteOptions): Route {
  return {
    method: 'POST',
    path: '/v1/approvals/webhook',
    open: true,
    summary: 'A decision about a waiting call, signed with the key of the webhook.',
    async run({ request, response }) {
      const body = await readBody(request)
      const header = request.headers[SIGNATURE_HEADER]
      if (body === null) return sendProblem(response, 413, `The body is larger than ${MAX_BYTES} bytes.`)
      if (typeof header !== 'string' || !isSigned(key(), body, header, now())) {
        return sendProblem(response, 401, `The ${SIGNATURE_HEADER} header does not fit the body, or is older than five minutes.`)
      }
      const decision = readDecision(body)
      if (decision === null)
        return sendProblem(response, 400, 'The body is {"id", "decision": "allow" or "deny", "by": "human:NAME", "note"?}.')
      try {
        const pending = needPending(approvals, decision.id)
        needApprover(pending, decision.by)
        const { state, by, note } = decision
        sendJson(response, 200, { decided: await approvals.decide(pending, { state, by, note, via: 'webhook', always: null }) })
      } catch (error) {
        if (!(error instanceof RpcError)) throw error
        sendProblem(response, 409, error.message)
      }
    },
  }
}

interface WebhookDecision {
  readonly id: string
  readonly state: 'allowed' | 'denied'
  readonly by: string
  readonly note: string | null
}

function readDecision(text: string): WebhookDecision | null {
  const parsed = parseStrictJson(text)
  if (!parsed.ok || typeof parsed.value !== 'object' || parsed.value === null) return null
  const { id, decision, by, note } = parsed.value as Readonly<Record<string, unknown>>
  if (typeof id !== 'string' || typeof by !== 'string' || !by.startsWith('human:')) return null
  if (decision !== 'allow' && decision !== 'deny') return null
  return { id, by, state: decision === 'allow' ? 'allowed' : 'denied', note: typeof note === 'string' ? note : null }
}

async function readBody(request: AsyncIterable<Buffer>): Promise<string | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > MAX_BYTES) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
