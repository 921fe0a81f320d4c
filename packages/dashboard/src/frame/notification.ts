// A notification of the browser for whoever newly waits, while this page is not what the person looks at.
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Waiting } from '#page/overview.ts'
import { plainLine } from '../part/plain-text.ts'
import { hrefOf, visit } from './url.ts'

export function canNotify(): boolean {
  return typeof Notification === 'function'
}

export function useAskToNotify(): { readonly state: NotificationPermission; readonly ask: () => void } {
  const [state, setState] = useState<NotificationPermission>(() => (canNotify() ? Notification.permission : 'denied'))
  const ask = useCallback(() => void Notification.requestPermission().then(setState), [])
  return { state, ask }
}

/** `waiting`: undefined until it was read once. What waited before the page was opened is no news. */
export function useNotifications(waiting: readonly Waiting[] | undefined): void {
  const known = useRef<Set<string> | null>(null)
  useEffect(() => {
    if (waiting === undefined) return
    const before = known.current
    known.current = new Set(waiting.map(keyOf))
    if (before === null || !canNotify() || Notification.permission !== 'granted' || isLookedAt()) return
    for (const one of waiting) if (!before.has(keyOf(one))) notify(one)
  }, [waiting])
}

function keyOf({ request, agentId, since }: Waiting): string {
  return request ?? `${agentId} ${since}`
}

function isLookedAt(): boolean {
  return document.visibilityState === 'visible' && document.hasFocus()
}

function notify(waiting: Waiting): void {
  const { request, agentId, tool, summary, kind } = waiting
  const note = new Notification(plainLine(`${agentId} waits for you`, 80), {
    body: plainLine(`${kind === 'held' ? 'held: ' : ''}${tool ?? ''} ${summary}`.trim(), 200),
    tag: keyOf(waiting),
    icon: '/favicon.svg',
  })
  note.onclick = () => {
    window.focus()
    visit(request === null ? hrefOf('fleet', { id: agentId }) : hrefOf('approvals', { id: request }))
    note.close()
  }
}
