// Text of any length and any content. A megabyte is cut until somebody asks for all of it.
import { useState } from 'react'
import { plainText } from './plain-text.ts'

const FIRST = 4000

export function Text({ text, className = '' }: { readonly text: string; readonly className?: string }) {
  const [isWhole, setWhole] = useState(false)
  const isLong = text.length > FIRST
  return (
    <>
      <span className={`whitespace-pre-wrap wrap-anywhere ${className}`}>{plainText(text, isWhole ? undefined : FIRST)}</span>
      {isLong && !isWhole && (
        <button type="button" className="ml-2 text-accent underline" onClick={() => setWhole(true)}>
          show all {text.length.toLocaleString('en')} characters
        </button>
      )}
    </>
  )
}

/** A block in the face of commands, paths, hashes and answers. */
export function CodeBlock({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section aria-label={label} tabIndex={0} className="mono thin-scroll max-h-96 overflow-auto rounded border bg-ground px-2.5 py-2">
      <Text text={text} />
    </section>
  )
}
