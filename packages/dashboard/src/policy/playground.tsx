// Change the policy on screen, see at once what lint says and how a call would come out, and save it when the difference is understood.
import { useRef, useState } from 'react'
import type { Lint, PolicyView, TriedCall } from '#page/policy.ts'
import { useSettled } from '../approvals/use-settled.ts'
import { useVerb } from '../daemon/use-verb.ts'
import { Button } from '../part/button.tsx'
import { Problem } from '../part/problem.tsx'
import { CallForm } from './call-form.tsx'
import { ComparedView } from './compared-view.tsx'
import { ConflictNotice } from './conflict-notice.tsx'
import { Editor } from './editor.tsx'
import { offsetOf } from './lint-lines.ts'
import { LintList } from './lint-list.tsx'
import { Notice } from './notices.tsx'
import { SaveDialog } from './save-dialog.tsx'
import { shortPlace } from './short-place.ts'
import { TriedView } from './tried-view.tsx'
import { useComparing } from './use-comparing.ts'
import { usePolicyText } from './use-policy-text.ts'

const PAUSE_MS = 250
const NO_CALL: TriedCall = { actor: 'agent:claude-code', tool: 'Bash', input: { command: '' } }

export interface PlaygroundProps {
  readonly policy: PolicyView
  readonly from: number | null
  readonly onSaved: () => void
}

export function Playground({ policy, from, onSaved }: PlaygroundProps) {
  const { root } = policy
  const editor = useRef<HTMLTextAreaElement>(null)
  const draft = usePolicyText(policy)
  const [call, setCall] = useState<TriedCall>(NO_CALL)
  const [isSaving, setSaving] = useState(false)
  const asked = useSettled(JSON.stringify({ text: draft.isChanged ? draft.text : null, call }), PAUSE_MS)
  const { text, call: askedCall } = JSON.parse(asked) as { readonly text: string | null; readonly call: TriedCall }
  const tried = useVerb('page.try', { root, call: askedCall, ...(text === null ? {} : { text }) })
  const comparing = useComparing(root, draft.text)
  const lint = tried.data?.lint ?? draft.file?.lint ?? []
  const own = lint.filter(({ file }) => draft.file === null || file === draft.file.file || file === '')
  const hasError = own.some(({ severity }) => severity === 'error')

  const canSave = draft.isChanged && !draft.isConflict && !hasError

  function jump({ line, column }: Lint): void {
    const at = offsetOf(draft.text, line, column)
    editor.current?.focus()
    editor.current?.setSelectionRange(at, at)
  }

  return (
    <div className="grid gap-4 p-3 xl:grid-cols-[minmax(0,1fr)_minmax(0,480px)]">
      <div className="flex min-w-0 flex-col gap-3">
        {draft.isConflict && <ConflictNotice draft={draft} />}
        {draft.isAtRisk && <Notice tone="ask">There is no room to keep this draft: a reload would lose it.</Notice>}
        <div className="flex flex-wrap items-center justify-end gap-2">
          <h2 className="mono mr-auto text-quiet wrap-anywhere">
            {draft.file === null ? 'a new policy' : shortPlace(draft.file.file, root)}
          </h2>
          {draft.isChanged && (
            <Button look="quiet" onClick={draft.drop}>
              Drop my changes
            </Button>
          )}
          <Button disabled={comparing.isPending} onClick={comparing.compare}>
            {comparing.isPending ? 'Comparing …' : 'Compare'}
          </Button>
          <Button look="main" disabled={!canSave} onClick={() => setSaving(true)}>
            Save …
          </Button>
        </div>
        <div className="h-[min(60vh,560px)]">
          <Editor
            ref={editor}
            label="Policy"
            text={draft.text}
            lint={own}
            onText={draft.change}
            onSave={() => canSave && setSaving(true)}
          />
        </div>
        <LintList lint={own} onChoose={jump} />
        {comparing.error !== null && <Problem error={comparing.error} />}
        {comparing.compared !== null && <ComparedView compared={comparing.compared} isStale={comparing.isStale} />}
      </div>
      <div className="flex min-w-0 flex-col gap-3">
        <CallForm from={from} actors={actorsOf(policy)} call={call} onCall={setCall} />
        {tried.error !== null && <Problem error={tried.error} retry={() => void tried.refetch()} />}
        {isEmptyCall(askedCall) ? (
          <p className="text-quiet">Type a call to see how the text on screen would decide it.</p>
        ) : (
          tried.data !== undefined && <TriedView tried={tried.data} root={root} isBusy={tried.isFetching} />
        )}
      </div>
      {isSaving && <SaveDialog root={root} draft={draft} onClose={() => setSaving(false)} onSaved={onSaved} />}
    </div>
  )
}

function isEmptyCall({ input }: TriedCall): boolean {
  const values = Object.values(input)
  return values.length > 0 && values.every(value => value === '')
}

/** Who the rules speak of: worth trying. */
function actorsOf({ rules }: PolicyView): readonly string[] {
  return [...new Set(['agent:claude-code', ...rules.map(({ actor }) => actor)])].filter(actor => !actor.includes('*'))
}
