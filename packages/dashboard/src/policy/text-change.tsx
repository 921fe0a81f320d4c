// What a change of the policy's text changes, with a few lines around it.
import { createTwoFilesPatch } from 'diff'
import { useMemo } from 'react'
import { UnifiedDiff } from '../part/diff.tsx'

export function TextChange({ before, after }: { readonly before: string; readonly after: string }) {
  const text = useMemo(() => createTwoFilesPatch('', '', before, after, '', '', { context: 2 }), [before, after])
  return <UnifiedDiff text={text} />
}
