// All messages in one place, for the eyes and for screen readers; choosing one goes to its line.
import type { Lint } from '#page/policy.ts'
import { Icon } from '../part/icon.tsx'
import { plainText } from '../part/plain-text.ts'

const LOOKS = {
  error: { icon: 'failed', text: 'text-deny' },
  warning: { icon: 'ask', text: 'text-ask' },
  info: { icon: 'none', text: 'text-quiet' },
} as const

export function LintList({ lint, onChoose }: { readonly lint: readonly Lint[]; readonly onChoose: (lint: Lint) => void }) {
  return (
    <ul aria-label="What lint says" aria-live="polite" className="flex flex-col">
      {lint.map(message => (
        <li key={`${message.line}:${message.column} ${message.message}`}>
          <button
            type="button"
            onClick={() => onChoose(message)}
            className={`flex w-full items-baseline gap-2 rounded px-1 py-0.5 text-left hover:bg-hover ${LOOKS[message.severity].text}`}
          >
            <Icon name={LOOKS[message.severity].icon} size={13} className="self-center" />
            <span className="mono shrink-0">
              {message.line}:{message.column}
            </span>
            <span className="min-w-0 wrap-anywhere">
              <span className="sr-only">{message.severity}: </span>
              {plainText(message.message, 400)}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}
