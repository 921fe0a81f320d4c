// Keys of the page. One listener for all; the map registered last is asked first. Nothing happens while somebody types, holds a modifier,
// or has a dialog open; Enter and Space press what has the focus before they mean anything else. `g l` is g, then l within a second.
import { useEffect, useRef } from 'react'

export type KeyMap = Readonly<Record<string, (event: KeyboardEvent) => void>>

const maps: { readonly current: KeyMap }[] = []
const PREFIX_MS = 1000
let prefix: { readonly key: string; readonly at: number } | null = null

export function useKeys(map: KeyMap): void {
  const ref = useRef(map)
  ref.current = map
  useEffect(() => {
    if (maps.length === 0) addEventListener('keydown', press)
    maps.unshift(ref)
    return () => {
      maps.splice(maps.indexOf(ref), 1)
      if (maps.length === 0) removeEventListener('keydown', press)
    }
  }, [])
}

function press(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
  if (document.querySelector('dialog[open]') !== null || isPressing(event)) return
  const before = prefix !== null && event.timeStamp - prefix.at < PREFIX_MS ? `${prefix.key} ` : ''
  prefix = null
  const name = before + event.key
  const run = maps.map(({ current }) => current[name]).find(found => found !== undefined)
  if (run !== undefined) {
    event.preventDefault()
    run(event)
  } else if (maps.some(({ current }) => Object.keys(current).some(known => known.startsWith(`${event.key} `)))) {
    prefix = { key: event.key, at: event.timeStamp }
  }
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}

function isPressing({ key, target }: KeyboardEvent): boolean {
  return (key === 'Enter' || key === ' ') && target instanceof Element && target.closest('a[href], button, summary') !== null
}

/** A hint: `<Keys keys="g l" />`. */
export function Keys({ keys }: { readonly keys: string }) {
  return (
    <kbd className="inline-flex gap-0.5 text-tiny">
      {keys.split(' ').map((key, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a hint never changes
        <span key={index} className="mono rounded border bg-ground px-1 text-quiet text-tiny">
          {key}
        </span>
      ))}
    </kbd>
  )
}
