// Tells people that something waits: a notice on the desktop, a signed call of a webhook. Never in the way: failures are only reported.

import { spawn } from 'node:child_process'
import { errorText } from '@belay/core/value'
import type { ApprovalRequest } from './request.ts'
import { SIGNATURE_HEADER, signBody } from './webhook-signature.ts'

export interface NotifyOptions {
  /** Where to call, and whether to show a notice: as configured now. */
  webhook(): string | null
  isDesktop(): boolean
  readonly key: () => Uint8Array
  onFailure(why: string): void
  readonly now: () => number
}

const WEBHOOK_MS = 10_000

export function createNotifier(options: NotifyOptions): (request: ApprovalRequest) => void {
  return request => {
    if (request.state !== 'pending') return
    if (options.isDesktop()) showNotice(request, options)
    const webhook = options.webhook()
    if (webhook !== null) void callWebhook(webhook, request, options)
  }
}

async function callWebhook(url: string, request: ApprovalRequest, { key, now, onFailure }: NotifyOptions): Promise<void> {
  const { inputHash, ...shown } = request
  const body = JSON.stringify({ type: 'approval.requested', request: shown })
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      redirect: 'error',
      headers: { 'content-type': 'application/json', [SIGNATURE_HEADER]: signBody(key(), body, now()) },
      signal: AbortSignal.timeout(WEBHOOK_MS),
    })
    await response.body?.cancel()
    if (!response.ok) onFailure(`the webhook answered ${response.status}`)
  } catch (error) {
    onFailure(`the webhook cannot be reached: ${errorText(error)}`)
  }
}

function showNotice({ id, actor, tool, reason }: ApprovalRequest, { onFailure }: NotifyOptions): void {
  const title = 'Belay: an agent waits'
  const text = `${actor} ${tool ?? ''}: ${reason} (${id})`
  const [program, words] =
    process.platform === 'darwin'
      ? ['osascript', ['-e', `display notification ${JSON.stringify(text)} with title ${JSON.stringify(title)}`]]
      : ['notify-send', ['--', title, text]]
  const child = spawn(program as string, words as string[], { stdio: 'ignore', detached: true })
  child.on('error', error => onFailure(`no notice on the desktop: ${error.message}`))
  child.unref()
}
