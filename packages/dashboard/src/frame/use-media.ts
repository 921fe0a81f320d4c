// Whether the screen is as a media query says, kept true while it changes.
import { useCallback, useSyncExternalStore } from 'react'

export function useMedia(query: string): boolean {
  const watch = useCallback(
    (listener: () => void) => {
      const list = matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(watch, () => matchMedia(query).matches)
}
