// Says to screen readers that somebody waits, and tells the page that the queue has changed.

import { useEffect, useRef, useState } from 'react'
import type { Approval } from '#page/api.ts'
import { onEvent } from '../daemon/stream.ts'
import { plainLine } from '../part/plain-text.ts'
import { headOf } from './call-shape.ts'

export function Announcer({ onChange }: { readonly onChange: () => void }) {
  const [said, setSaid] = useState('')
  const changed = useRef(onChange)
  changed.current = onChange
  useEffect(
    () =>
      onEvent('approval', data => {
        const { state, actor, tool, input } = data as Approval
        if (state === 'pending') setSaid(plainLine(`New request from ${actor}: ${tool ?? 'gate'} ${headOf(tool, input)}`, 200))
        changed.current()
      }),
    [],
  )
  return (
    <div role="status" aria-live="polite" className="sr-only">
      {said}
    </div>
  )
}
