// Many at once: every one of them is listed before anything is decided.
import type { Approval } from '#page/api.ts'
import { useAct } from '../daemon/use-verb.ts'
import { Button } from '../part/button.tsx'
import { Dialog } from '../part/dialog.tsx'
import { plainLine } from '../part/plain-text.ts'
import { Problem } from '../part/problem.tsx'
import { headOf } from './call-shape.ts'
import { focusFirst } from './focus-first.ts'

export interface BulkDialogProps {
  readonly decision: 'allow' | 'deny'
  readonly requests: readonly Approval[]
  readonly onClose: () => void
  readonly onDone: () => void
}

export function BulkDialog({ decision, requests, onClose, onDone }: BulkDialogProps) {
  const act = useAct(decision === 'allow' ? 'approvals.allow' : 'approvals.deny', { onDone })
  const many = requests.length === 1 ? '1 request' : `${requests.length} requests`
  const word = decision === 'allow' ? 'Allow' : 'Deny'
  return (
    <Dialog title={`${word} ${many}?`} onClose={onClose}>
      <ul className="thin-scroll max-h-80 overflow-y-auto px-4 py-3">
        {requests.map(({ id, tool, input, actor, commitment }) => (
          <li key={id} className="flex items-baseline gap-2 py-0.5">
            <span className="shrink-0 font-medium">{plainLine(tool ?? 'Gate', 60)}</span>
            <span className="mono min-w-0 flex-1 wrap-anywhere">
              {plainLine(tool === null ? (commitment ?? id) : headOf(tool, input), 300)}
            </span>
            <span className="shrink-0 text-faint text-small">{plainLine(actor, 40)}</span>
          </li>
        ))}
      </ul>
      {act.error !== null && <Problem error={act.error} />}
      <div className="flex justify-end gap-2 border-t px-4 py-3">
        <Button onClick={onClose}>Cancel</Button>
        <Button ref={focusFirst} tone={decision} disabled={act.isPending} onClick={() => act.mutate({ ids: requests.map(({ id }) => id) })}>
          {word} {many}
        </Button>
      </div>
    </Dialog>
  )
}
