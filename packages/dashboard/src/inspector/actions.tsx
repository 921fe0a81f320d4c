// What one does next with an event.
import { lazy, Suspense, useState } from 'react'
import type { RecordDetail } from '#page/record.ts'
import { Link } from '../frame/link.tsx'
import { Button } from '../part/button.tsx'
import { CopyButton } from '../part/copy-button.tsx'
import { inProject, plainLine } from '../part/plain-text.ts'
import { whyNotAlways } from './why-not-always.ts'

const AlwaysDialog = lazy(() => import('../approvals/always-dialog.tsx').then(part => ({ default: part.AlwaysDialog })))

const LINK = 'inline-flex min-h-7 items-center rounded border bg-surface px-2.5 font-medium text-small hover:bg-hover'

export function Actions({ detail }: { readonly detail: RecordDetail }) {
  const [isAlways, setAlways] = useState(false)
  const { row, explainCommand } = detail
  const isHeldBack = row.tool !== null && row.project !== null && row.verdict !== 'allow' && row.event === 'PreToolUse'
  const notAlways = isHeldBack ? whyNotAlways(detail) : null
  return (
    <div className="flex flex-wrap gap-2">
      {explainCommand !== null && <CopyButton label="Copy as belay explain" text={explainCommand} />}
      {row.tool !== null && row.project !== null && (
        <Link page="policy" params={{ root: row.project, from: row.seq }} className={LINK}>
          Open in playground
        </Link>
      )}
      {isHeldBack && (
        <Button tone={notAlways === null ? 'allow' : undefined} disabled={notAlways !== null} onClick={() => setAlways(true)}>
          Allow always …
        </Button>
      )}
      {row.session !== null && (
        <Link page="live" id={row.session} params={{ event: row.seq }} className={LINK}>
          Show this session
        </Link>
      )}
      {notAlways !== null && (
        <p className="w-full text-faint text-small wrap-anywhere">Not always: {plainLine(inProject(notAlways, row.project))}</p>
      )}
      {isAlways && (
        <Suspense>
          <AlwaysDialog subject={{ kind: 'record', record: detail }} suggested={null} onClose={() => setAlways(false)} />
        </Suspense>
      )}
    </div>
  )
}
