// A plain text editor: a textarea, line numbers, and what lint says at its line. The numbers are one text, so that a long file costs nothing.
import { memo, type Ref, useMemo } from 'react'
import type { Lint } from '#page/policy.ts'
import { plainLine } from '../part/plain-text.ts'
import { lintByLine } from './lint-lines.ts'

export const LINE_PX = 20

export interface EditorProps {
  readonly ref: Ref<HTMLTextAreaElement>
  readonly label: string
  readonly text: string
  readonly lint: readonly Lint[]
  readonly onText: (text: string) => void
  /** Ctrl S. */
  readonly onSave: () => void
}

const SEVERITIES = {
  error: { strip: 'bg-deny-tint', text: 'text-deny', number: 'text-deny' },
  warning: { strip: 'bg-ask-tint', text: 'text-ask', number: 'text-ask' },
  info: { strip: 'bg-none-tint', text: 'text-none', number: 'text-none' },
} as const

export function Editor({ ref, label, text, lint, onText, onSave }: EditorProps) {
  const lines = useMemo(() => text.split('\n').length, [text])
  const byLine = useMemo(() => [...lintByLine(lint, lines)], [lint, lines])
  return (
    <div className="thin-scroll h-full overflow-auto rounded border bg-surface focus-within:border-accent">
      <div className="relative flex min-h-full w-full min-w-fit">
        {byLine.map(([line, messages]) => (
          <Strip key={line} line={line} messages={messages} />
        ))}
        <LineNumbers lines={lines} />
        <textarea
          ref={ref}
          aria-label={label}
          aria-invalid={lint.some(({ severity }) => severity === 'error')}
          value={text}
          onChange={event => onText(event.target.value)}
          onKeyDown={event => {
            if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return
            event.preventDefault()
            onSave()
          }}
          wrap="off"
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          rows={lines + 1}
          className="mono thin-scroll relative min-w-0 flex-1 resize-none overflow-x-auto overflow-y-hidden bg-transparent px-2 py-0 leading-5 outline-none"
        />
        {byLine.length > 0 && (
          <div aria-hidden="true" className="relative w-72 shrink-0 border-l max-md:hidden">
            {byLine.map(([line, messages]) => (
              <Said key={line} line={line} messages={messages} />
            ))}
          </div>
        )}
      </div>
    </div>
  )
}

const LineNumbers = memo(function LineNumbers({ lines }: { readonly lines: number }) {
  const numbers = Array.from({ length: lines }, (_, index) => index + 1).join('\n')
  return (
    <pre aria-hidden="true" className="mono relative w-11 shrink-0 select-none border-r pr-2 text-right text-faint leading-5">
      {numbers}
    </pre>
  )
})

/** Behind the text: the line marked. */
function Strip({ line, messages }: { readonly line: number; readonly messages: readonly Lint[] }) {
  const [worst] = messages
  if (worst === undefined) return null
  return (
    <div
      aria-hidden="true"
      data-lint-line={line}
      className={`absolute inset-x-0 h-5 ${SEVERITIES[worst.severity].strip}`}
      style={{ top: (line - 1) * LINE_PX }}
    />
  )
}

/** Beside the text, at its line: never over it. */
function Said({ line, messages }: { readonly line: number; readonly messages: readonly Lint[] }) {
  const [worst] = messages
  if (worst === undefined) return null
  const said = messages.map(({ message }) => plainLine(message)).join('; ')
  return (
    <p
      title={said}
      className={`absolute inset-x-0 h-5 truncate px-2 text-tiny leading-5 ${SEVERITIES[worst.severity].text}`}
      style={{ top: (line - 1) * LINE_PX }}
    >
      {said}
    </p>
  )
}
