// Figures over time, and what stands out in them.
import './language.ts'
import { useVerb } from '../daemon/use-verb.ts'
import { useParam } from '../frame/url.ts'
import { Button } from '../part/button.tsx'
import { Loading } from '../part/loading.tsx'
import { Problem } from '../part/problem.tsx'
import { EventsChart } from './events-chart.tsx'
import { LatencyChart } from './latency-chart.tsx'
import { FailingHooks, SilentAgents, SlowHooks, TopDenied } from './lists.tsx'
import { VerdictMix } from './verdict-mix.tsx'

const PERIODS = [
  ['60', 'hour'],
  ['360', '6 hours'],
  ['1440', 'day'],
] as const
const EVERY_MS = 10_000

export function OverviewPage() {
  const [kept, setPeriod] = useParam('minutes')
  const [period] = PERIODS.find(([minutes]) => minutes === kept) ?? PERIODS[0]
  const overview = useVerb('page.overview', { minutes: Number(period) }, { refetchInterval: EVERY_MS })
  const figures = overview.data
  return (
    <div className="flex flex-col gap-3 p-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h1 className="font-semibold text-large">Overview</h1>
        <fieldset className="flex gap-1">
          <legend className="sr-only">Period</legend>
          {PERIODS.map(([minutes, word]) => (
            <Button
              key={minutes}
              look={minutes === period ? 'main' : 'plain'}
              aria-pressed={minutes === period}
              onClick={() => setPeriod(minutes)}
            >
              last {word}
            </Button>
          ))}
        </fieldset>
      </div>
      {overview.error !== null && <Problem error={overview.error} retry={() => void overview.refetch()} />}
      {figures === undefined && overview.error === null && <Loading what="Counting" />}
      {figures !== undefined && (
        <>
          <VerdictMix minutes={figures.minutes} />
          <div className="grid gap-3 xl:grid-cols-2">
            <EventsChart minutes={figures.minutes} />
            <LatencyChart minutes={figures.minutes} />
            <TopDenied denied={figures.topDenied} />
            <FailingHooks hooks={figures.failingHooks} />
            <SlowHooks hooks={figures.slowHooks} />
            <SilentAgents agents={figures.silentAgents} />
          </div>
        </>
      )}
    </div>
  )
}
