// Hooks that take their time, above the stream: what they do, for how long, and a way to stop one. Nothing where nothing runs.
import { useCallback } from 'react'
import type { PageApi } from '#page/api.ts'
import { useEvent } from '../daemon/stream.ts'
import { useAct, useForget, useVerb } from '../daemon/use-verb.ts'
import { Age } from '../part/age.tsx'
import { Button } from '../part/button.tsx'
import { plainLine } from '../part/plain-text.ts'
import { Problem } from '../part/problem.tsx'

type RunningHook = PageApi['hooks.running']['result']['hooks'][number]

const NOTHING = {}
const EVERY_MS = 5000

export function RunningHooks() {
  const forget = useForget()
  const readAgain = useCallback(() => forget('hooks.running'), [forget])
  useEvent('hook', readAgain)
  const hooks = useVerb('hooks.running', NOTHING, { refetchInterval: EVERY_MS }).data?.hooks ?? []
  const cancel = useAct('hooks.cancel', { onDone: readAgain })
  if (hooks.length === 0 && cancel.error === null) return null
  return (
    <section aria-label="Running hooks" className="shrink-0 border-b bg-surface">
      {cancel.error !== null && <Problem error={cancel.error} retry={cancel.reset} />}
      <ul>
        {hooks.map(hook => (
          <Line key={hook.id} hook={hook} isEnding={cancel.isPending} onStop={() => cancel.mutate({ id: hook.id })} />
        ))}
      </ul>
    </section>
  )
}

interface LineProps {
  readonly hook: RunningHook
  readonly isEnding: boolean
  readonly onStop: () => void
}

function Line({ hook, isEnding, onStop }: LineProps) {
  const name = plainLine(hook.hook, 80)
  const what = [hook.status, hook.progress].filter(text => text !== null).join(': ')
  const where = [hook.event, hook.tool, hook.agentId ?? hook.agent].filter(text => text !== null).join(' ')
  return (
    <li className="flex flex-wrap items-center gap-2 px-3 py-1 text-small">
      <span className="font-medium" title={hook.place === null ? undefined : plainLine(hook.place, 200)}>
        {name}
      </span>
      <span className="text-quiet">{plainLine(where, 120)}</span>
      <span className="mono min-w-0 flex-1 truncate">{plainLine(what, 200)}</span>
      <span className="text-faint">
        <Age time={hook.startedAt} />
      </span>
      <Button onClick={onStop} disabled={isEnding} aria-label={`Stop ${name}`} title="It counts as failed, and its `fail` decides.">
        Stop
      </Button>
    </li>
  )
}
