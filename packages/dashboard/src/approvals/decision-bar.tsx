// The decision, always at the same place and large enough for a thumb. After it there is nothing left to press.

import { useState } from 'react'
import type { Approval } from '#page/api.ts'
import { useAct } from '../daemon/use-verb.ts'
import { Button } from '../part/button.tsx'
import { TextField } from '../part/field.tsx'
import { Icon } from '../part/icon.tsx'
import { Keys, useKeys } from '../part/keys.tsx'
import { inProject, plainLine } from '../part/plain-text.ts'
import { Problem } from '../part/problem.tsx'
import { AlwaysDialog } from './always-dialog.tsx'
import { whyNotAlways } from './inbox.ts'
import { StateMark } from './state-mark.tsx'

export interface DecisionBarProps {
  readonly request: Approval
  readonly suggested: string | null
  readonly hasKeys: boolean
  readonly onDecided: () => void
}

export function DecisionBar({ request, suggested, hasKeys, onDecided }: DecisionBarProps) {
  const [note, setNote] = useState('')
  const [isAlways, setAlways] = useState(false)
  const allow = useAct('approvals.allow', { onDone: onDecided })
  const deny = useAct('approvals.deny', { onDone: onDecided })
  const isBusy = allow.isPending || deny.isPending || allow.isSuccess || deny.isSuccess
  const canDecide = request.state === 'pending' && !isBusy
  const given = { ids: [request.id], ...(note.trim() === '' ? {} : { note: note.trim() }) }
  const never = whyNotAlways(request)
  const notAlways = never === null ? null : inProject(never, request.root)
  const keys = {
    a: () => allow.mutate(given),
    d: () => deny.mutate(given),
    A: () => {
      if (notAlways === null) setAlways(true)
    },
  }
  useKeys(canDecide && hasKeys ? keys : {})
  const error = allow.error ?? deny.error
  return (
    <footer className="border-t bg-surface">
      {error !== null && <Problem error={error} />}
      {request.state === 'pending' ? (
        <div className="flex flex-col gap-2 p-3">
          <TextField
            label="Note to the agent"
            hideLabel
            placeholder="A note for the agent and the record (optional)"
            value={note}
            onText={setNote}
            className="w-full flex-1"
            maxLength={500}
          />
          <Choices canDecide={canDecide} canAlways={notAlways === null} onAllow={keys.a} onDeny={keys.d} onAlways={keys.A} />
          {notAlways !== null && (
            <p title={plainLine(notAlways)} className="text-faint text-small wrap-anywhere max-md:line-clamp-3">
              Not always: {plainLine(notAlways)}
            </p>
          )}
        </div>
      ) : (
        <Ended request={request} />
      )}
      {isAlways && (
        <AlwaysDialog
          subject={{ kind: 'request', request, note: note.trim() }}
          suggested={suggested}
          onClose={() => setAlways(false)}
          onDone={onDecided}
        />
      )}
    </footer>
  )
}

interface ChoicesProps {
  readonly canDecide: boolean
  readonly canAlways: boolean
  readonly onAllow: () => void
  readonly onDeny: () => void
  readonly onAlways: () => void
}

function Choices({ canDecide, canAlways, onAllow, onDeny, onAlways }: ChoicesProps) {
  return (
    <div className="grid grid-cols-2 gap-2 md:flex md:flex-wrap">
      <Button large tone="allow" disabled={!canDecide} onClick={onAllow} className="md:min-w-32">
        <Icon name="allow" /> Allow once <Hint keys="a" />
      </Button>
      <Button large tone="deny" disabled={!canDecide} onClick={onDeny} className="md:min-w-32">
        <Icon name="deny" /> Deny <Hint keys="d" />
      </Button>
      <Button large disabled={!canDecide || !canAlways} onClick={onAlways} className={`col-span-2 ${canAlways ? '' : 'max-md:hidden'}`}>
        Allow always… <Hint keys="A" />
      </Button>
    </div>
  )
}

function Ended({ request: { state, decidedBy, note, usedAt } }: { readonly request: Approval }) {
  return (
    <p role="status" className="flex min-h-14 flex-wrap items-center gap-2 p-3">
      <StateMark state={state} />
      {decidedBy !== null && <span>by {plainLine(decidedBy, 80)}</span>}
      {note !== null && <span className="text-quiet">“{plainLine(note)}”</span>}
      {state === 'allowed' && usedAt === null && <span className="text-quiet">The agent may make exactly this call once.</span>}
      <span className="ml-auto hidden items-center gap-1 text-faint text-small md:flex">
        next <Keys keys="j" />
      </span>
    </p>
  )
}

function Hint({ keys }: { readonly keys: string }) {
  return (
    <span className="hidden md:inline">
      <Keys keys={keys} />
    </span>
  )
}
