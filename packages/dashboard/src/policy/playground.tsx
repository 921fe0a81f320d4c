// Change the policy on screen, see at once what lint says and how a call would come out, and save it when the difference is understood.
import { useEffect, useRef, useState } from 'react'
import type { Lint, PolicyView } from '#page/policy.ts'
import { Button } from '../part/button.tsx'
import { Problem } from '../part/problem.tsx'
import { CallForm } from './call-form.tsx'
import { LAST_CALLS, rangeOf } from './call-range.ts'
import { ComparedView } from './compared-view.tsx'
import { ConflictNotice } from './conflict-notice.tsx'
import { Editor } from './editor.tsx'
import { offsetOf } from './lint-lines.ts'
import { LintList } from './lint-list.tsx'
import { Notice } from './notices.tsx'
import { RangeChoice } from './range-choice.tsx'
import { SaveDialog } from './save-dialog.tsx'
import { shortPlace } from './short-place.ts'
import { TheseCalls } from './these-calls.tsx'
import { TriedView } from './tried-view.tsx'
import { useComparing } from './use-comparing.ts'
import { type PolicyText, usePolicyText } from './use-policy-text.ts'
import { type Trying, useTrying } from './use-trying.ts'

export interface PlaygroundProps {
  readonly policy: PolicyView
  readonly from: number | null
  /** Recorded calls that the change is about. */
  readonly calls: readonly number[]
  /** Where the rule stands that is to be changed. */
  readonly line: number | null
  readonly onSaved: () => void
}

export function Playground({ policy, from, calls, line, onSaved }: PlaygroundProps) {
  const { root } = policy
  const draft = usePolicyText(policy)
  const trying = useTrying(root, draft)
  const [isSaving, setSaving] = useState(false)
  return (
    <div className="grid gap-4 p-3 xl:grid-cols-[minmax(0,1fr)_minmax(0,480px)]">
      <div className="flex min-w-0 flex-col gap-3">
        {draft.isConflict && <ConflictNotice draft={draft} />}
        {draft.isAtRisk && <Notice tone="ask">There is no room to keep this draft: a reload would lose it.</Notice>}
        <Writing root={root} draft={draft} lint={trying.lint} line={line} onSave={() => setSaving(true)} />
      </div>
      <div className="flex min-w-0 flex-col gap-3">
        {calls.length > 0 && <TheseCalls root={root} seqs={calls} text={draft.isChanged ? draft.text : null} />}
        <CallForm from={from} actors={actorsOf(policy)} call={trying.call} onCall={trying.setCall} />
        <Outcome root={root} trying={trying} />
      </div>
      {isSaving && <SaveDialog root={root} draft={draft} onClose={() => setSaving(false)} onSaved={onSaved} />}
    </div>
  )
}

interface WritingProps {
  readonly root: string
  readonly draft: PolicyText
  readonly lint: readonly Lint[]
  readonly line: number | null
  readonly onSave: () => void
}

function Writing({ root, draft, lint, line, onSave }: WritingProps) {
  const editor = useRef<HTMLTextAreaElement>(null)
  const { compared, isStale, isPending, error, compare } = useComparing(root, draft.text)
  const [range, setRange] = useState(LAST_CALLS)
  const hasError = lint.some(({ severity }) => severity === 'error')
  const canSave = draft.isChanged && !draft.isConflict && !hasError
  const { text } = draft
  const isLoaded = text !== ''
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the text is there; typing moves nothing
  useEffect(() => {
    if (line !== null && isLoaded) jumpTo(editor.current, text, { line, column: 1 })
  }, [line, isLoaded])
  const jump = (place: Lint) => jumpTo(editor.current, text, place)
  return (
    <>
      <div className="flex flex-wrap items-center justify-end gap-2">
        <h2 className="mono mr-auto text-quiet wrap-anywhere">
          {draft.file === null ? 'a new policy' : shortPlace(draft.file.file, root)}
        </h2>
        {draft.isChanged && (
          <Button look="quiet" onClick={draft.drop}>
            Drop my changes
          </Button>
        )}
        <RangeChoice range={range} onRange={setRange} />
        <Button disabled={isPending} onClick={() => compare(rangeOf(range, Date.now()))}>
          {isPending ? 'Comparing …' : 'Compare'}
        </Button>
        <Button look="main" disabled={!canSave} onClick={onSave}>
          Save …
        </Button>
      </div>
      <div className="h-[min(66vh,900px)]">
        <Editor ref={editor} label="Policy" text={draft.text} lint={lint} onText={draft.change} onSave={() => canSave && onSave()} />
      </div>
      <LintList lint={lint} onChoose={jump} />
      {error !== null && <Problem error={error} />}
      {compared !== null && <ComparedView compared={compared} isStale={isStale} />}
    </>
  )
}

function jumpTo(editor: HTMLTextAreaElement | null, text: string, { line, column }: Pick<Lint, 'line' | 'column'>): void {
  const at = offsetOf(text, line, column)
  editor?.focus()
  editor?.setSelectionRange(at, at)
}

function Outcome({ root, trying: { tried, isBusy, error, retry } }: { readonly root: string; readonly trying: Trying }) {
  if (error !== null) return <Problem error={error} retry={retry} />
  if (tried === null) return <p className="text-quiet">Type a call to see how the text on screen would decide it.</p>
  return <TriedView tried={tried} root={root} isBusy={isBusy} />
}

/** Who the rules speak of: worth trying. */
function actorsOf({ rules }: PolicyView): readonly string[] {
  return [...new Set(['agent:claude-code', ...rules.map(({ actor }) => actor)])].filter(actor => !actor.includes('*'))
}
