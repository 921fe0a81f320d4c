// What was done, and nothing left to decide.
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

export function DoneDialog({
  title,
  onClose,
  children,
}: {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div role="status" className="flex flex-col gap-3 p-4">
        {children}
        <div className="flex justify-end">
          <Button look="main" onClick={onClose}>
            Close
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
