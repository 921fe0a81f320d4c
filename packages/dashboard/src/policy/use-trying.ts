// How the text on screen decides a call, and what lint says of it; asked when typing rests.
import { useCallback, useState } from 'react'
import type { Lint, Tried, TriedCall } from '#page/policy.ts'
import { useSettled } from '../approvals/use-settled.ts'
import type { DaemonError } from '../daemon/daemon-error.ts'
import { useVerb } from '../daemon/use-verb.ts'
import { setParam } from '../frame/url.ts'
import type { PolicyText } from './use-policy-text.ts'

export interface Trying {
  readonly call: TriedCall
  readonly setCall: (call: TriedCall) => void
  /** null: no answer yet, or no call was typed. */
  readonly tried: Tried | null
  readonly isBusy: boolean
  readonly error: DaemonError | null
  readonly retry: () => void
  /** Of the file on screen. */
  readonly lint: readonly Lint[]
}

const PAUSE_MS = 250
const NO_CALL: TriedCall = { actor: 'agent:claude-code', tool: 'Bash', input: { command: '' } }

export function useTrying(root: string, draft: PolicyText): Trying {
  const [call, keepCall] = useState<TriedCall>(() => readCall(new URLSearchParams(location.search).get('try')) ?? NO_CALL)
  const setCall = useCallback((next: TriedCall) => {
    keepCall(next)
    setParam('try', isEmptyCall(next) ? null : JSON.stringify(next), { replace: true })
  }, [])
  const asked = useSettled(JSON.stringify({ text: draft.isChanged ? draft.text : null, call }), PAUSE_MS)
  const { text, call: askedCall } = JSON.parse(asked) as { readonly text: string | null; readonly call: TriedCall }
  const found = useVerb('page.try', { root, call: askedCall, ...(text === null ? {} : { text }) })
  const lint = found.data?.lint ?? draft.file?.lint ?? []
  return {
    call,
    setCall,
    tried: isEmptyCall(askedCall) ? null : (found.data ?? null),
    isBusy: found.isFetching,
    error: found.error,
    retry: () => void found.refetch(),
    lint: lint.filter(({ file }) => draft.file === null || file === draft.file.file || file === ''),
  }
}

/** A call from an address, which anybody may have written; null: it is none. */
function readCall(text: string | null): TriedCall | null {
  try {
    const { actor, tool, input, cwd } = JSON.parse(text ?? '') as Partial<TriedCall>
    if (typeof actor !== 'string' || typeof tool !== 'string' || typeof input !== 'object' || input === null) return null
    return { actor, tool, input, ...(typeof cwd === 'string' ? { cwd } : {}) }
  } catch {
    return null
  }
}

function isEmptyCall({ input }: TriedCall): boolean {
  const values = Object.values(input)
  return values.length > 0 && values.every(value => value === '')
}
