// Keys that work on every page. Ctrl K works while typing too.
import { useEffect } from 'react'
import { useKeys } from '../part/keys.tsx'
import { PAGE_WORDS } from './rail.tsx'
import { go, PAGES, setParam } from './url.ts'

const GOING = Object.fromEntries(PAGES.map(page => [`g ${PAGE_WORDS[page].key}`, () => go(page)]))

export interface PageKeys {
  readonly onPalette: () => void
  readonly onHelp: () => void
  /** An event is open beside the page: Escape closes it before anything else. */
  readonly isInspecting: boolean
}

export function usePageKeys({ onPalette, onHelp, isInspecting }: PageKeys): void {
  useKeys({ ...GOING, '?': onHelp, ...(isInspecting ? { Escape: () => setParam('event', null) } : {}) })
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
