// The text in the editor: the project's file, or a draft of it that outlives reloads. A draft knows the file it began with, so that a change
// by somebody else is a choice, never a loss.
import { useCallback, useEffect, useState } from 'react'
import type { PolicyFileView, PolicyView } from '#page/policy.ts'
import { type Draft, keepDraft, readDraft } from './draft.ts'

export interface PolicyText {
  readonly file: PolicyFileView | null
  readonly text: string
  /** Of the file the text began with; null: there was none. */
  readonly baseHash: string | null
  readonly isChanged: boolean
  /** The file is another one than the text began with. */
  readonly isConflict: boolean
  /** There was no room to keep the draft. */
  readonly isAtRisk: boolean
  readonly change: (text: string) => void
  readonly drop: () => void
  /** My text, on top of what the file holds now. */
  readonly rebase: () => void
}

export function usePolicyText(policy: PolicyView): PolicyText {
  const { root } = policy
  const file = policy.files.find(({ owner }) => owner === 'project') ?? null
  const hash = file?.hash ?? null
  const [draft, setDraft] = useState<Draft | null>(() => readDraft(sessionStorage, root))
  const [isAtRisk, setAtRisk] = useState(false)
  useEffect(() => setAtRisk(!keepDraft(sessionStorage, root, draft)), [root, draft])
  const isSame = draft !== null && draft.text === file?.text
  // Saved, or typed back to what it was.
  useEffect(() => {
    if (isSame) setDraft(null)
  }, [isSame])
  return {
    file,
    text: draft?.text ?? file?.text ?? '',
    baseHash: draft === null ? hash : draft.baseHash,
    isChanged: draft !== null && !isSame,
    isConflict: draft !== null && !isSame && draft.baseHash !== hash,
    isAtRisk,
    change: useCallback((text: string) => setDraft(known => ({ text, baseHash: known === null ? hash : known.baseHash })), [hash]),
    drop: useCallback(() => setDraft(null), []),
    rebase: useCallback(() => setDraft(known => (known === null ? null : { ...known, baseHash: hash })), [hash]),
  }
}
