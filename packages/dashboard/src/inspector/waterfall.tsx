// The path of the event: what ran, when, for how long, with what result; what did not run, and why.
import { useMemo } from 'react'
import type { RecordDetail, RecordStep } from '#page/record.ts'
import { Icon } from '../part/icon.tsx'
import { plainLine } from '../part/plain-text.ts'
import { Section } from '../part/section.tsx'
import { milliseconds } from '../part/time.ts'
import { lookOf, TONES } from '../part/tone.ts'
import { type Bar, type Laid, laySteps } from './lay-steps.ts'

export function Waterfall({ detail: { steps, budgetMs } }: { readonly detail: RecordDetail }) {
  const laid = useMemo(() => laySteps(steps, budgetMs), [steps, budgetMs])
  if (steps.length === 0) return null
  const isMeasured = laid.bars.some(({ left }) => left !== null)
  return (
    <Section title="What ran" aside={isMeasured && <Scale laid={laid} budgetMs={budgetMs} />}>
      <ol className="relative flex flex-col">
        {laid.bars.map((bar, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the steps of one entry never move
          <StepLine key={index} bar={bar} budgetAt={laid.budgetAt} budgetMs={budgetMs} />
        ))}
      </ol>
      {isMeasured && laid.budgetAt === null && (
        <p className="text-faint text-tiny">All of it is well within the budget of {budgetMs} ms.</p>
      )}
    </Section>
  )
}

function Scale({ laid, budgetMs }: { readonly laid: Laid; readonly budgetMs: number }) {
  return (
    <span className="text-faint text-tiny">
      {laid.budgetAt !== null && <span className="text-ask">┃ budget {budgetMs} ms · </span>}0 – {milliseconds(laid.scaleMs)}
    </span>
  )
}

interface StepProps {
  readonly bar: Bar
  readonly budgetAt: number | null
  readonly budgetMs: number
}

function StepLine({ bar, budgetAt, budgetMs }: StepProps) {
  const { step } = bar
  const said = [step.outcome, step.reason, step.error, step.place].filter(Boolean).join(' · ')
  return (
    <li title={plainLine(said)} className="flex flex-col border-line/50 border-b py-0.5">
      <div className="grid min-h-6 grid-cols-[minmax(0,190px)_minmax(0,1fr)_76px] items-center gap-2">
        <StepName step={step} />
        {step.skipped === null ? (
          <StepBar bar={bar} budgetAt={budgetAt} budgetMs={budgetMs} />
        ) : (
          <span className="truncate text-faint text-small">{plainLine(step.skipped, 300)}</span>
        )}
        <StepTime step={step} budgetMs={budgetMs} />
      </div>
      {step.error !== null && <p className="pl-5 text-deny text-small wrap-anywhere">{plainLine(step.error, 300)}</p>}
    </li>
  )
}

function StepBar({ bar: { step, left, width }, budgetAt, budgetMs }: StepProps) {
  return (
    <span aria-hidden="true" className="relative h-3.5">
      {budgetAt !== null && (
        <span title={`${budgetMs} ms`} className="absolute -inset-y-1.5 w-px bg-ask" style={{ left: `${budgetAt * 100}%` }} />
      )}
      {left !== null && (
        <span
          className={`absolute inset-y-0 rounded-xs ${fillOf(step)}`}
          style={{ left: `${left * 100}%`, width: `${Math.min(width, 1 - left) * 100}%` }}
        />
      )}
      {left === null && (
        <span className="absolute inset-0 truncate text-faint text-small leading-[14px]">{plainLine(step.outcome, 60)}</span>
      )}
    </span>
  )
}

function StepTime({ step, budgetMs }: { readonly step: RecordStep; readonly budgetMs: number }) {
  const look = step.isOverBudget ? 'font-semibold text-ask' : 'text-faint'
  return (
    <span className={`flex items-center justify-end gap-1 text-right text-small ${look}`}>
      {step.isOverBudget && (
        <>
          <span aria-hidden="true">▲</span>
          <span className="sr-only">over the budget of {budgetMs} ms: </span>
        </>
      )}
      {step.skipped === null ? milliseconds(step.ms) : 'skipped'}
    </span>
  )
}

function StepName({ step }: { readonly step: RecordStep }) {
  const { tone, icon } = lookOf(step.verdict)
  return (
    <span className={`flex min-w-0 items-center gap-1.5 ${step.skipped === null ? '' : 'text-faint'}`}>
      <Icon name={step.error === null ? icon : 'failed'} size={13} className={TONES[step.error === null ? tone : 'deny'].text} />
      <span className="sr-only">{step.error === null ? step.verdict : 'failed'} </span>
      <span className="truncate">{plainLine(step.name, 120)}</span>
      {step.type !== null && (
        <span className="shrink-0 text-faint text-tiny">{plainLine([step.scope, step.type].filter(Boolean).join(' '), 60)}</span>
      )}
    </span>
  )
}

/** Failed: striped. Hooks in their verdict's colour; our own steps neutral. */
function fillOf(step: RecordStep): string {
  if (step.error !== null) return 'striped border border-deny'
  return step.verdict === 'none' ? 'bg-edge' : TONES[step.verdict].fill
}
