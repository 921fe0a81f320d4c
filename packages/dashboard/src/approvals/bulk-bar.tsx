// What is selected, and the keys that decide all of it, after a question.
import { useState } from 'react'
import type { Approval } from '#page/api.ts'
import { Button } from '../part/button.tsx'
import { Keys, useKeys } from '../part/keys.tsx'
import { BulkDialog } from './bulk-dialog.tsx'

export interface BulkBarProps {
  /** Selected, and still waiting. */
  readonly waiting: readonly Approval[]
  readonly onClear: () => void
  readonly onDecided: () => void
}

type Bulk = { readonly decision: 'allow' | 'deny'; readonly requests: readonly Approval[] }

export function BulkBar({ waiting, onClear, onDecided }: BulkBarProps) {
  const [bulk, setBulk] = useState<Bulk | null>(null)
  const allow = () => setBulk({ decision: 'allow', requests: waiting })
  const deny = () => setBulk({ decision: 'deny', requests: waiting })
  useKeys({ a: allow, d: deny, Escape: onClear })
  return (
    <div className="flex flex-wrap items-center gap-2 border-t bg-raised px-3 py-2">
      <span className="mr-auto">{waiting.length} selected</span>
      <Button tone="allow" onClick={allow}>
        Allow… <Keys keys="a" />
      </Button>
      <Button tone="deny" onClick={deny}>
        Deny… <Keys keys="d" />
      </Button>
      <Button look="quiet" onClick={onClear}>
        Clear
      </Button>
      {bulk !== null && <BulkDialog {...bulk} onClose={() => setBulk(null)} onDone={onDecided} />}
    </div>
  )
}
