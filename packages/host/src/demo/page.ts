// The dashboard's part in the demonstration: a link for the person, and the check that it shows what happened.
import { request } from 'node:http'
import { callDaemon } from '../command/daemon-status.ts'

export type Link = { readonly ok: true; readonly url: string } | { readonly ok: false; readonly why: string }

export async function newLink(socket: string): Promise<Link> {
  const answer = await callDaemon(socket, 'dashboard.link', {})
  if (answer.kind === 'result') return { ok: true, url: (answer.value as { url: string }).url }
  return { ok: false, why: answer.kind === 'absent' ? 'the daemon is gone' : answer.why }
}

/** Goes through the link as a browser does and counts the events the page would show; throws where something is not as it should be. */
export async function countEventsOnPage(link: string): Promise<number> {
  const entered = await send(link, {})
  const cookie = String(entered.headers['set-cookie']).split(';')[0] ?? ''
  if (entered.status !== 303 || !cookie.startsWith('belay_session=')) throw new Error(`the link answers ${entered.status}: ${entered.text}`)
  const { origin } = new URL(link)
  const document = await send(`${origin}/`, { headers: { cookie } })
  if (!document.text.includes('id="page"')) throw new Error(`the dashboard answers ${document.status}: ${document.text}`)
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'page.records', params: { limit: 100 } })
  const answer = await send(`${origin}/v1/rpc`, { method: 'POST', headers: { cookie, origin, 'content-type': 'application/json' }, body })
  const { result, error } = JSON.parse(answer.text) as { result?: { rows: readonly unknown[] }; error?: { message: string } }
  if (result === undefined) throw new Error(error?.message ?? answer.text)
  return result.rows.length
}

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

function send(url: string, { method = 'GET', headers = {}, body }: Sent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = request(url, { method, headers }, response => {
      const chunks: Buffer[] = []
      response.on('data', chunk => chunks.push(chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString() }),
      )
    })
    call.on('error', reject)
    call.end(body)
  })
}
