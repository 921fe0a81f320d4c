// A question over the page. The browser's own dialog: focus stays inside, Escape closes, focus returns where it was.
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

export interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
  /** Wide enough for tables. */
  readonly wide?: boolean
  /** The title is for screen readers only. */
  readonly bare?: boolean
}

export function Dialog({ title, onClose, children, wide = false, bare = false }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  // Before it leaves the document: closing is what gives the focus back.
  useLayoutEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside it closes; keys have Escape
    <dialog
      ref={ref}
      aria-label={title}
      onCancel={event => {
        event.preventDefault()
        onClose()
      }}
      onClick={event => event.target === ref.current && onClose()}
      className={`max-h-[92vh] w-[calc(100vw-24px)] rounded-lg border bg-surface p-0 shadow-float ${wide ? 'max-w-4xl' : 'max-w-xl'} ${bare ? 'mt-[12vh] overflow-hidden' : 'overflow-auto'}`}
    >
      {!bare && (
        <div className="flex items-center justify-between border-b px-4 py-2">
          <h2 className="font-semibold">{title}</h2>
          <Button look="quiet" onClick={onClose} aria-label="Close">
            <Icon name="close" />
          </Button>
        </div>
      )}
      {children}
    </dialog>
  )
}
