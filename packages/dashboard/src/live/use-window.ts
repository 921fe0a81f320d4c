// Which lines of a long list are near the screen. All lines have one height, so this is arithmetic: nothing is measured, and a list that
// grows at the top costs the same at a hundred and at a hundred thousand lines.
import { type RefObject, useCallback, useEffect, useState } from 'react'

export const LINE_PX = 30
const BEYOND = 12

export interface LineWindow {
  readonly first: number
  /** Not included. */
  readonly end: number
  readonly isAtTop: boolean
}

export function useWindow(ref: RefObject<HTMLElement | null>, count: number): LineWindow {
  const [place, setPlace] = useState({ top: 0, height: 800 })
  const updateWindow = useCallback(() => {
    const element = ref.current
    if (element === null) return
    const top = element.scrollTop
    const height = element.clientHeight
    setPlace(known => (known.top === top && known.height === height ? known : { top, height }))
  }, [ref])
  useEffect(() => {
    const element = ref.current
    if (element === null) return
    const watcher = new ResizeObserver(updateWindow)
    watcher.observe(element)
    element.addEventListener('scroll', updateWindow, { passive: true })
    return () => {
      watcher.disconnect()
      element.removeEventListener('scroll', updateWindow)
    }
  }, [ref, updateWindow])
  return windowOf(place, count)
}

export function windowOf({ top, height }: { readonly top: number; readonly height: number }, count: number): LineWindow {
  const last = Math.min(count, Math.ceil((top + height) / LINE_PX) + BEYOND)
  const first = Math.max(0, Math.min(Math.floor(top / LINE_PX) - BEYOND, last))
  return { first, end: last, isAtTop: top <= 0 }
}
