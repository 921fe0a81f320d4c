// "Allow always": a pattern to edit, and what else it would have let through in the last week, before a rule is written.

import { useState } from 'react'
import type { Approval } from '#page/api.ts'
import type { PatternPreview } from '#page/policy.ts'
import type { RecordDetail } from '#page/record.ts'
import type { DaemonError } from '../daemon/daemon-error.ts'
import { useAct } from '../daemon/use-verb.ts'
import { Button } from '../part/button.tsx'
import { Dialog } from '../part/dialog.tsx'
import { DoneDialog } from '../part/done-dialog.tsx'
import { plainLine } from '../part/plain-text.ts'
import { Problem } from '../part/problem.tsx'
import { focusFirst } from './focus-first.ts'
import { Preview } from './preview.tsx'
import { suggestPattern } from './suggest-pattern.ts'

export type AlwaysSubject =
  | { readonly kind: 'request'; readonly request: Approval; readonly note: string }
  | { readonly kind: 'record'; readonly record: RecordDetail }

export interface AlwaysDialogProps {
  readonly subject: AlwaysSubject
  /** A pattern to start from; null: one is made of the call. */
  readonly suggested: string | null
  readonly onClose: () => void
  readonly onDone?: () => void
}

interface Written {
  readonly pattern: string
  readonly actor: string
  readonly file: string
  readonly isTrusted: boolean
}

export function AlwaysDialog({ subject, suggested, onClose, onDone }: AlwaysDialogProps) {
  const { actor, root, tool, command } = callOf(subject)
  const [pattern, setPattern] = useState(suggested ?? suggestPattern(tool, command))
  const [preview, setPreview] = useState<PatternPreview | null>(null)
  const { write, written, isBusy, error } = useWriting(subject, onDone)
  const holder = preview?.actor ?? actor
  if (written !== null) return <Done written={written} onClose={onClose} />
  return (
    <Dialog title="Allow always" onClose={onClose} wide>
      <form
        className="flex flex-col gap-3 p-4"
        onSubmit={event => {
          event.preventDefault()
          write(pattern.trim())
        }}
      >
        <p className="text-quiet">
          Adds an allow rule for <strong className="font-semibold text-ink">{plainLine(holder, 80)}</strong> to the policy
          {root === null ? '' : ` of ${plainLine(root, 120)}`}. Deny and ask rules stay stronger.
          {holder !== actor && ` ${plainLine(actor, 80)} has its allow rules from there; a list of its own would replace them.`}
        </p>
        <label className="flex flex-col gap-1">
          <span className="text-quiet text-small">Pattern</span>
          <input
            className="mono h-9 rounded border border-edge/60 bg-surface px-2"
            ref={focusFirst}
            value={pattern}
            onChange={event => setPattern(event.target.value)}
            spellCheck={false}
            autoComplete="off"
          />
        </label>
        <Preview pattern={pattern.trim()} actor={actor} root={root} onPreview={setPreview} />
        {error !== null && <Problem error={error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="main" type="submit" disabled={isBusy || preview === null || preview.problem !== null}>
            {subject.kind === 'request' ? 'Allow, and write the rule' : 'Write the rule'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

interface Writing {
  readonly write: (pattern: string) => void
  readonly written: Written | null
  readonly isBusy: boolean
  readonly error: DaemonError | null
}

/** A request is allowed and its rule written in one; a record needs the rule only. */
function useWriting(subject: AlwaysSubject, onDone: (() => void) | undefined): Writing {
  const [written, setWritten] = useState<Written | null>(null)
  const done = (rule: Written | undefined) => {
    if (rule !== undefined) setWritten(rule)
    onDone?.()
  }
  const allow = useAct('approvals.allow', { onDone: ({ rule }) => done(rule) })
  const add = useAct('page.allow', { onDone: done })
  function write(pattern: string): void {
    if (subject.kind === 'request') {
      const { request, note } = subject
      allow.mutate({ ids: [request.id], always: pattern, ...(note === '' ? {} : { note }) })
    } else {
      const { actor, root } = callOf(subject)
      add.mutate({ root: root ?? '', actor, pattern, confirmed: true })
    }
  }
  return { write, written, isBusy: allow.isPending || add.isPending, error: allow.error ?? add.error }
}

function Done({ written: { pattern, actor, file, isTrusted }, onClose }: { readonly written: Written; readonly onClose: () => void }) {
  return (
    <DoneDialog title="The rule is written" onClose={onClose}>
      <p>
        <code className="mono text-allow wrap-anywhere">allow {plainLine(pattern)}</code> for {plainLine(actor, 80)} stands in{' '}
        <code className="mono wrap-anywhere">{plainLine(file)}</code>.
      </p>
      {!isTrusted && (
        <p className="text-ask">
          That file is not trusted yet, so the rule has no effect: run <code className="mono">belay policy trust</code> in the project.
        </p>
      )}
    </DoneDialog>
  )
}

function callOf(subject: AlwaysSubject): {
  readonly actor: string
  readonly root: string | null
  readonly tool: string | null
  readonly command: string | null
} {
  if (subject.kind === 'record') {
    const { row, command } = subject.record
    return { actor: row.actor, root: row.project, tool: row.tool, command: command ?? row.summary }
  }
  const { actor, root, tool, input } = subject.request
  return { actor, root, tool, command: typeof input.command === 'string' ? input.command : null }
}
