// Copies, and says that it did.
import { useState } from 'react'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import { plainLine } from './plain-text.ts'

export function CopyButton({ text, label }: { readonly text: string; readonly label?: string }) {
  const [said, setSaid] = useState<string | null>(null)
  async function copy(): Promise<void> {
    const isDone = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
    setSaid(isDone ? 'copied' : 'not allowed to copy')
    setTimeout(() => setSaid(null), 1500)
  }
  return (
    <Button
      look={label === undefined ? 'quiet' : 'plain'}
      onClick={copy}
      aria-label={label === undefined ? `Copy ${plainLine(text, 80)}` : undefined}
    >
      <Icon name={said === 'copied' ? 'allow' : 'copy'} size={14} />
      {label !== undefined && label}
      <span role="status" className={said === null || said === 'copied' ? 'sr-only' : 'text-deny'}>
        {said}
      </span>
    </Button>
  )
}
