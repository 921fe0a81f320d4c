// Before a policy is saved: what changes in the file, what changes in verdicts, and a word typed by the person. It is recorded.
import { useEffect, useState } from 'react'
import type { Saved } from '#page/policy.ts'
import { useAct } from '../daemon/use-verb.ts'
import { Link } from '../frame/link.tsx'
import { Button } from '../part/button.tsx'
import { Dialog } from '../part/dialog.tsx'
import { DoneDialog } from '../part/done-dialog.tsx'
import { Loading } from '../part/loading.tsx'
import { plainLine } from '../part/plain-text.ts'
import { Problem } from '../part/problem.tsx'
import { ComparedView } from './compared-view.tsx'
import { LintList } from './lint-list.tsx'
import { TextChange } from './text-change.tsx'
import { useComparing } from './use-comparing.ts'
import type { PolicyText } from './use-policy-text.ts'

const WORD = 'save'

export interface SaveDialogProps {
  readonly root: string
  readonly draft: PolicyText
  readonly onClose: () => void
  /** The file on disk is another one now. */
  readonly onSaved: () => void
}

export function SaveDialog({ root, draft, onClose, onSaved }: SaveDialogProps) {
  // As they were when the dialog opened: what is compared is what is saved.
  const [{ text, baseHash, before }] = useState({ text: draft.text, baseHash: draft.baseHash, before: draft.file?.text ?? '' })
  const [typed, setTyped] = useState('')
  const comparing = useComparing(root, text)
  const { compare } = comparing
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => compare(null), [])
  const save = useAct('page.save', { onDone: onSaved })
  const saved = save.data
  if (saved?.kind === 'saved') return <Done saved={saved} onClose={onClose} />
  return (
    <Dialog title="Save the policy?" onClose={onClose} wide>
      <form
        className="flex max-h-[80vh] flex-col"
        onSubmit={event => {
          event.preventDefault()
          if (typed === WORD) save.mutate({ root, text, baseHash, confirmed: true })
        }}
      >
        <div className="thin-scroll flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-4 *:shrink-0">
          <TextChange before={before} after={text} />
          {comparing.error !== null && <Problem error={comparing.error} />}
          {comparing.isPending && <Loading what="Comparing with recorded calls" />}
          {comparing.compared !== null && <ComparedView compared={comparing.compared} isStale={false} />}
          {save.error !== null && <Problem error={save.error} />}
          {saved !== undefined && <NotSaved saved={saved} />}
        </div>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t p-4">
          <label className="mr-auto flex flex-wrap items-center gap-2">
            <span>
              Type <code className="mono font-semibold">{WORD}</code> to put it in force and record it:
            </span>
            <input
              value={typed}
              onChange={event => setTyped(event.target.value)}
              autoComplete="off"
              spellCheck={false}
              className="mono h-8 w-28 rounded border border-edge/60 bg-surface px-2"
            />
          </label>
          <div className="flex justify-end gap-2">
            <Button onClick={onClose}>Cancel</Button>
            <Button look="main" type="submit" disabled={typed !== WORD || save.isPending || comparing.isPending}>
              Save
            </Button>
          </div>
        </div>
      </form>
    </Dialog>
  )
}

function NotSaved({ saved }: { readonly saved: Exclude<Saved, { kind: 'saved' }> }) {
  if (saved.kind === 'conflict')
    return (
      <Problem
        error={{ message: 'Nothing was saved: the file has changed meanwhile. Close this, and choose how to go on; your text is kept.' }}
      />
    )
  return (
    <>
      <Problem error={{ message: `Nothing was saved: ${saved.why}` }} />
      <LintList lint={saved.lint} onChoose={() => undefined} />
    </>
  )
}

function Done({ saved, onClose }: { readonly saved: Extract<Saved, { kind: 'saved' }>; readonly onClose: () => void }) {
  return (
    <DoneDialog title="Saved, and in force" onClose={onClose}>
      <p className="wrap-anywhere">
        <code className="mono">{plainLine(saved.file)}</code> is now{' '}
        <code className="mono">{saved.hash.replace(/^sha256:/, '').slice(0, 12)}</code>.
      </p>
      <p>
        Recorded with both hashes and the difference as{' '}
        <Link page="ledger" id={saved.seq} className="text-accent underline">
          entry {saved.seq}
        </Link>
        .
      </p>
    </DoneDialog>
  )
}
