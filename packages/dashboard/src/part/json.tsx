// A value as it is, indented. Parts of it never become markup.
import { useMemo } from 'react'
import { CodeBlock } from './text.tsx'

export function Json({ value, label = 'value' }: { readonly value: unknown; readonly label?: string }) {
  const text = useMemo(() => jsonText(value), [value])
  return <CodeBlock text={text} label={label} />
}

export function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? 'nothing'
}
