// What came out, of everything in the period.
import type { Minute } from '#page/overview.ts'
import { Empty } from '../part/empty.tsx'
import { TONES } from '../part/tone.ts'
import { VerdictMark } from '../part/verdict-mark.tsx'
import { mixOf } from './chart-data.ts'

const ORDER = ['allow', 'none', 'ask', 'deny'] as const

export function VerdictMix({ minutes }: { readonly minutes: readonly Minute[] }) {
  const mix = mixOf(minutes)
  if (mix.total === 0) return <Nothing />
  return (
    <div className="flex flex-col gap-2 rounded-md border bg-surface p-3">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-1">
        <span>
          <strong className="text-large">{mix.total.toLocaleString('en')}</strong> <span className="text-faint">events</span>
        </span>
        {ORDER.map(verdict => (
          <span key={verdict} className="inline-flex items-center gap-2">
            <VerdictMark verdict={verdict} plain />
            <span className="font-medium">{mix[verdict].toLocaleString('en')}</span>
            <span className="text-faint text-small">{share(mix[verdict], mix.total)}</span>
          </span>
        ))}
      </div>
      <div aria-hidden="true" className="flex h-2 gap-px overflow-hidden rounded-full bg-none-tint">
        {ORDER.map(verdict => (
          <span key={verdict} className={TONES[verdict].fill} style={{ width: `${(mix[verdict] / mix.total) * 100}%` }} />
        ))}
      </div>
    </div>
  )
}

function Nothing() {
  return (
    <div className="rounded-md border bg-surface">
      <Empty title="Nothing happened in this period" commands={['belay doctor', 'belay install claude-code']}>
        No agent called. The first command says which agents are connected, the second connects one.
      </Empty>
    </div>
  )
}

function share(part: number, total: number): string {
  return `${((part / total) * 100).toFixed(1)} %`
}
