// An http hook: the event as JSON to a server, its JSON as the answer. Anything but a 2xx answer is a failure, never a verdict.
import type { HookDefinition, HttpHandler } from '../../hook/hook-definition.ts'
import type { HookEvent } from '../../hook/hook-event.ts'
import type { HandlerRun, RunDetail } from '../../hook/hook-result.ts'
import { describeHook } from '../describe-hook.ts'
import { failed } from '../failure.ts'
import type { HandlerOptions } from '../handler-options.ts'
import { hookPayload } from '../hook-payload.ts'
import { interpretText } from '../interpret/interpret-text.ts'
import { endsOf } from '../limit.ts'
import { withinLimit } from '../within-limit.ts'
import { isAllowedHost } from './allowed-host.ts'
import { expandHeaders } from './expand-headers.ts'
import type { ResolveName } from './public-lookup.ts'
import { type HttpAnswer, sendRequest } from './send-request.ts'

export type HttpHook = HookDefinition & { readonly handler: HttpHandler }

export async function runHttp(
  hook: HttpHook,
  event: HookEvent,
  options: HandlerOptions & { resolveName?: ResolveName },
): Promise<HandlerRun> {
  const { handler } = hook
  const url = parseUrl(handler.url)
  if (url === null) return failed('BELAY_HTTP_URL', `${describeHook(hook)}: ${JSON.stringify(handler.url)} is not an address to call`)
  const { headers, notes, problems } = expandHeaders(handler.headers, handler.allowedEnv, { ...(options.env ?? process.env), ...event.env })
  if (problems.length > 0) return failed('BELAY_HTTP_REQUEST', `${describeHook(hook)}: ${problems.join('; ')}`)
  const answer = await withinLimit(endsOf(hook, options), async signal => {
    const body = JSON.stringify(hookPayload(event))
    const mayBePrivate = isAllowedHost(url, options.allowPrivate ?? [])
    const { resolveName } = options
    const request = {
      url,
      method: handler.method,
      headers,
      body,
      mayBePrivate,
      signal,
      ...(resolveName === undefined ? {} : { resolveName }),
    }
    return interpretAnswer(await sendRequest(request), hook, event.name)
  })
  return notes.length === 0 ? answer : { ...answer, detail: { ...answer.detail, notes: [...notes, ...(answer.detail?.notes ?? [])] } }
}

function parseUrl(text: string): URL | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : null
}

function interpretAnswer(answer: HttpAnswer, hook: HttpHook, eventName: string): HandlerRun {
  const name = describeHook(hook)
  switch (answer.kind) {
    case 'private':
      return failed('BELAY_HTTP_PRIVATE_ADDRESS', `${name}: ${answer.why}`)
    case 'unsendable':
      return failed('BELAY_HTTP_REQUEST', `${name}: ${answer.why}`)
    case 'unreachable':
      return failed('BELAY_HTTP_UNREACHABLE', `${name}: ${answer.why}`)
    case 'too-large':
      return failed('BELAY_HTTP_TOO_LARGE', `${name}: the answer is larger than 1 MiB`, { status: answer.status })
    case 'response':
      return interpretResponse(answer, hook, eventName)
  }
}

function interpretResponse(answer: Extract<HttpAnswer, { kind: 'response' }>, hook: HttpHook, eventName: string): HandlerRun {
  const { status, body, contentType, location } = answer
  const name = describeHook(hook)
  const detail: RunDetail = { status, stdout: body }
  if (status >= 300 && status < 400) return failed('BELAY_HTTP_REDIRECT', `${name}: status ${status} to ${location ?? 'nowhere'}`, detail)
  if (status < 200 || status >= 300) return failed('BELAY_HTTP_STATUS', `${name}: status ${status}`, detail)
  const run = interpretText(body, hook, eventName, detail)
  // Said to be JSON and is not: an answer was lost on the way, which is no "no opinion".
  const isLost = run.kind === 'answered' && body.trim() !== '' && /\bjson\b/i.test(contentType) && !isJson(body)
  return isLost ? failed('BELAY_HANDLER_BAD_ANSWER', `${name}: the body is not the JSON that its content-type promises`, detail) : run
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
