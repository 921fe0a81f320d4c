// Somebody else changed the file. Nothing is lost: both texts are here, and the reader chooses.
import { useState } from 'react'
import { Button } from '../part/button.tsx'
import { Notice } from './notices.tsx'
import { TextChange } from './text-change.tsx'
import type { PolicyText } from './use-policy-text.ts'

export function ConflictNotice({ draft }: { readonly draft: PolicyText }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div>
      <Notice tone="ask">
        <p>The file has changed since this text began. Your text is kept; saving is possible again when you have chosen.</p>
        <div className="flex flex-wrap gap-2 pt-2">
          <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide the difference' : 'Show the difference'}
          </Button>
          <Button onClick={draft.rebase}>Go on with mine</Button>
          <Button onClick={draft.drop}>Take the file</Button>
        </div>
      </Notice>
      {isOpen && <TextChange before={draft.file?.text ?? ''} after={draft.text} />}
    </div>
  )
}
