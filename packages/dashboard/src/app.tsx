// The frame around every page: rail, strip, page, inspector.
import { lazy, Suspense, useCallback, useState } from 'react'
import { useStreamState } from './daemon/stream.ts'
import { useAttention } from './frame/attention.ts'
import { Banner, NoSuchPage, SessionEnded, Unguarded } from './frame/banner.tsx'
import { CatchError } from './frame/catch-error.tsx'
import { Help } from './frame/help.tsx'
import { useNotifications } from './frame/notification.ts'
import { Palette } from './frame/palette.tsx'
import { PAGE_WORDS, Rail } from './frame/rail.tsx'
import { Strip } from './frame/strip.tsx'
import { type Page, useView } from './frame/url.ts'
import { useFrame, useFreshness } from './frame/use-frame.ts'
import { useMedia } from './frame/use-media.ts'
import { usePageKeys } from './frame/use-page-keys.ts'
import { WaitingBar } from './frame/waiting-bar.tsx'
import { Loading } from './part/loading.tsx'

const PAGES: Readonly<Record<Page, ReturnType<typeof lazy>>> = {
  live: lazy(() => import('./live/live-page.tsx').then(page => ({ default: page.LivePage }))),
  fleet: lazy(() => import('./fleet/fleet-page.tsx').then(page => ({ default: page.FleetPage }))),
  approvals: lazy(() => import('./approvals/approvals-page.tsx').then(page => ({ default: page.ApprovalsPage }))),
  ledger: lazy(() => import('./ledger/ledger-page.tsx').then(page => ({ default: page.LedgerPage }))),
  policy: lazy(() => import('./policy/policy-page.tsx').then(page => ({ default: page.PolicyPage }))),
  overview: lazy(() => import('./overview/overview-page.tsx').then(page => ({ default: page.OverviewPage }))),
}

const Inspector = lazy(() => import('./inspector/inspector.tsx').then(part => ({ default: part.Inspector })))

export function App() {
  const view = useView()
  const frame = useFrame()
  const [open, setOpen] = useState<'palette' | 'help' | null>(null)
  const openPalette = useCallback(() => setOpen('palette'), [])
  const openHelp = useCallback(() => setOpen('help'), [])
  const close = useCallback(() => setOpen(null), [])
  const { state } = useStreamState()
  useFreshness()
  const seq = Number(view.params.get('event'))
  const isInspecting = Number.isInteger(seq) && seq > 0
  const isCovering = useMedia('(max-width: 1023px)') && isInspecting
  const waiting = frame.data?.waiting
  usePageKeys({ onPalette: openPalette, onHelp: openHelp, isInspecting, waiting: waiting?.[0] ?? null })
  useAttention(waiting?.length ?? 0, PAGE_WORDS[view.page].name)
  useNotifications(waiting)
  if (state === 'ended') return <SessionEnded />
  const Shown = PAGES[view.page]
  return (
    <div className="flex h-full flex-col md:flex-row">
      <Rail page={view.isUnknown ? null : view.page} approvals={frame.data?.approvals ?? 0} />
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <Strip frame={frame.data} onPalette={openPalette} onHelp={openHelp} />
        <WaitingBar frame={frame.data} view={view} />
        <Banner dataAt={frame.dataUpdatedAt} />
        <Unguarded found={frame.data?.unguarded ?? []} />
        <div className="relative flex min-h-0 flex-1">
          <main inert={isCovering} className="thin-scroll min-w-0 flex-1 overflow-auto">
            <CatchError of={view.page}>
              <Suspense fallback={<Loading />}>{view.isUnknown ? <NoSuchPage /> : <Shown />}</Suspense>
            </CatchError>
          </main>
          {isInspecting && (
            <CatchError of={seq}>
              <Suspense>
                <Inspector seq={seq} />
              </Suspense>
            </CatchError>
          )}
        </div>
      </div>
      <p role="status" className="sr-only">
        {waiting !== undefined && waiting.length > 0 && view.page !== 'approvals' ? `${waiting.length} waiting for you` : ''}
      </p>
      {open === 'palette' && <Palette frame={frame.data} onHelp={openHelp} onClose={close} />}
      {open === 'help' && <Help onClose={close} />}
    </div>
  )
}
