// What happens on all machines, in the order in which the hub heard of it.
import { useEffect, useRef, useState } from 'react'
import type { HubApi, Live } from '#hub/api.ts'
import { useParam } from '../frame/url.ts'
import { Button } from '../part/button.tsx'
import { Empty } from '../part/empty.tsx'
import { Select } from '../part/field.tsx'
import { Icon } from '../part/icon.tsx'
import { Problem } from '../part/problem.tsx'
import { addressOf, askHub, useHub } from './ask-hub.ts'
import { EntryRows } from './entry-rows.tsx'
import { mergeLive } from './merge-live.ts'

const EVERY_MS = 1000

export function LivePage() {
  const [isPaused, setPaused] = useState(false)
  const { rows, problem } = useLive(isPaused)
  const machines = useHub('/v1/machines', { everyMs: 10_000 }).data?.machines ?? []
  const [machine, setMachine] = useParam('machine')
  const [verdict, setVerdict] = useParam('verdict')
  const shown = rows.filter(row => (machine === null || row.machine === machine) && (verdict === null || row.verdict === verdict))
  const names = [...new Set(machines.map(({ name }) => name))]
  return (
    <div className="flex flex-col">
      <div className="sticky top-0 z-20 flex flex-wrap items-center gap-2 border-b bg-surface px-3 py-1.5 [&_label]:grow-0">
        <Select
          label="Machine"
          hideLabel
          value={machine ?? ''}
          options={[{ value: '', text: 'all machines' }, ...names.map(name => ({ value: name, text: name }))]}
          onValue={value => setMachine(value === '' ? null : value)}
        />
        <Select
          label="Verdict"
          hideLabel
          value={verdict ?? ''}
          options={[{ value: '', text: 'all verdicts' }, ...['deny', 'ask', 'allow', 'none'].map(name => ({ value: name, text: name }))]}
          onValue={value => setVerdict(value === '' ? null : value)}
        />
        <Button onClick={() => setPaused(!isPaused)}>
          <Icon name={isPaused ? 'play' : 'pause'} size={13} /> {isPaused ? 'Go on' : 'Pause'}
        </Button>
        <span role="status" className="text-faint text-small">
          {shown.length.toLocaleString('en')} shown
        </span>
      </div>
      {problem !== null && <Problem error={problem} />}
      {shown.length === 0 && problem === null ? (
        <Empty title="Nothing yet">Entries appear here a moment after a machine has recorded them.</Empty>
      ) : (
        <EntryRows entries={shown} label="Entries as they come" />
      )}
    </div>
  )
}

function useLive(isPaused: boolean): { readonly rows: readonly Live[]; readonly problem: Error | null } {
  const [rows, setRows] = useState<readonly Live[]>([])
  const [problem, setProblem] = useState<Error | null>(null)
  const since = useRef<string | null>(null)
  useEffect(() => {
    if (isPaused) return
    const ended = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = async (): Promise<void> => {
      try {
        const address = addressOf('/v1/live', { since: since.current })
        const { entries } = await askHub<HubApi['/v1/live']>('GET', address, undefined, ended.signal)
        since.current = entries[0]?.received ?? since.current
        setRows(before => mergeLive(before, entries))
        setProblem(null)
      } catch (error) {
        if (ended.signal.aborted) return
        setProblem(error as Error)
      }
      timer = setTimeout(() => void look(), EVERY_MS)
    }
    void look()
    return () => {
      ended.abort()
      clearTimeout(timer)
    }
  }, [isPaused])
  return { rows, problem }
}
