// Stands for the person who answers what waits for approval: a webhook on loopback that decides by what the call says.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { readKeyFile } from '../approval/key-file.ts'
import { SIGNATURE_HEADER, signBody } from '../approval/webhook-signature.ts'

export interface Decider {
  readonly url: string
  /** Requests that were decided. */
  decided(): number
  close(): Promise<void>
}

export interface DeciderOptions {
  /** Of the daemon. */
  readonly url: string
  readonly belayHome: string
  /** What is said to a request with this text. */
  decide(text: string): 'allow' | 'deny'
  /** How long the person takes. */
  readonly afterMs: number
}

export async function startDecider({ url, belayHome, decide, afterMs }: DeciderOptions): Promise<Decider> {
  let decided = 0
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    response.end()
    const { request: asked } = JSON.parse(text)
    await sleep(afterMs, undefined, { ref: false })
    const body = JSON.stringify({ id: asked.id, decision: decide(JSON.stringify(asked)), by: 'human:trial', note: 'SAID-BY-THE-PERSON' })
    const headers = {
      'content-type': 'application/json',
      [SIGNATURE_HEADER]: signBody(readKeyFile(belayHome, 'webhook.key'), body, Date.now()),
    }
    const answer = await fetch(`${url}/v1/approvals/webhook`, { method: 'POST', body, headers }).catch(() => null)
    if (answer?.ok === true) decided++
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    decided: () => decided,
    close() {
      server.closeAllConnections()
      return new Promise<void>(resolve => server.close(() => resolve()))
    },
  }
}
