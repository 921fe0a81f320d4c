// What changed, line by line: of two texts, or of a unified diff as it was recorded.
import { diffLines } from 'diff'
import { useMemo, useState } from 'react'
import { plainLine } from './plain-text.ts'
import { Text } from './text.tsx'

export interface DiffLine {
  readonly sign: '+' | '-' | ' ' | '@'
  readonly text: string
}

export function Diff({ before, after }: { readonly before: string; readonly after: string }) {
  const lines = useMemo(() => linesOf(before, after), [before, after])
  return <DiffLines lines={lines} />
}

/** One file in a line, with how much of it changed; opens to its diff. */
export function FileChange({ path, lines }: { readonly path: string; readonly lines: readonly DiffLine[] }) {
  const count = (wanted: DiffLine['sign']) => lines.filter(({ sign }) => sign === wanted).length
  return (
    <details className="text-small">
      <summary className="w-fit">
        <span className="text-accent">changed {plainLine(path, 200)}</span> <span className="text-allow">+{count('+')}</span>{' '}
        <span className="text-deny">−{count('-')}</span>
      </summary>
      <DiffLines lines={lines} />
    </details>
  )
}

export function UnifiedDiff({ text }: { readonly text: string }) {
  const lines = useMemo(() => readUnified(text), [text])
  return <DiffLines lines={lines} />
}

export function linesOf(before: string, after: string): readonly DiffLine[] {
  if (before === '' && after === '') return []
  return diffLines(before, after).flatMap(({ value, added, removed }) => {
    const sign = added ? '+' : removed ? '-' : ' '
    return value
      .replace(/\n$/, '')
      .split('\n')
      .map((text): DiffLine => ({ sign, text }))
  })
}

export function readUnified(text: string): readonly DiffLine[] {
  const all = text.split('\n')
  // Names of files stand before the first hunk; within one, `---` is a removed line that begins with dashes.
  const first = Math.max(
    0,
    all.findIndex(line => line.startsWith('@@')),
  )
  return all.slice(first).flatMap((line): readonly DiffLine[] => {
    const sign = line[0]
    if (line.startsWith('\\')) return []
    if (sign === '@') return [{ sign: '@', text: line }]
    return sign === '+' || sign === '-' || sign === ' ' ? [{ sign, text: line.slice(1) }] : []
  })
}

const FIRST = 400
const LOOKS = { '+': 'bg-allow-tint text-allow', '-': 'bg-deny-tint text-deny', ' ': 'text-quiet', '@': 'text-faint bg-raised' } as const
const SAID = { '+': 'added', '-': 'removed', ' ': '', '@': '' } as const

function DiffLines({ lines }: { readonly lines: readonly DiffLine[] }) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? lines : lines.slice(0, FIRST)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section aria-label="difference" tabIndex={0} className="mono thin-scroll max-h-96 overflow-auto rounded border bg-ground py-1">
      {shown.map(({ sign, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one diff never move
        <div key={index} className={`flex gap-2 whitespace-pre-wrap px-2 wrap-anywhere ${LOOKS[sign]}`}>
          <span aria-hidden="true" className="w-2 shrink-0 select-none">
            {sign === '@' ? '' : sign}
          </span>
          {SAID[sign] !== '' && <span className="sr-only">{SAID[sign]}: </span>}
          <span>
            <Text text={text} />
          </span>
        </div>
      ))}
      {lines.length > shown.length && (
        <button type="button" className="px-2 py-1 text-accent underline" onClick={() => setWhole(true)}>
          show all {lines.length.toLocaleString('en')} lines
        </button>
      )}
    </section>
  )
}
