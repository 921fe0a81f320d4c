// Keys that work on every page. Ctrl K works while typing too.
import { useEffect } from 'react'
import type { Waiting } from '#page/overview.ts'
import { useKeys } from '../part/keys.tsx'
import { PAGE_WORDS } from './rail.tsx'
import { go, PAGES, setParam } from './url.ts'

const GOING = Object.fromEntries(PAGES.map(page => [`g ${PAGE_WORDS[page].key}`, () => go(page)]))

export interface PageKeys {
  readonly onPalette: () => void
  readonly onHelp: () => void
  /** An event is open beside the page: Escape closes it before anything else. */
  readonly isInspecting: boolean
  /** Who waits first. */
  readonly waiting: Waiting | null
}

export function usePageKeys({ onPalette, onHelp, isInspecting, waiting }: PageKeys): void {
  useKeys({
    ...GOING,
    '?': onHelp,
    w: () => waiting !== null && look(waiting),
    ...(isInspecting ? { Escape: () => setParam('event', null) } : {}),
  })
  useEffect(() => {
    function press(event: KeyboardEvent): void {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
      event.preventDefault()
      onPalette()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [onPalette])
}

function look({ request, agentId }: Waiting): void {
  if (request === null) go('fleet', { id: agentId })
  else go('approvals', { id: request })
}
