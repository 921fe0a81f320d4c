// What went wrong, and the way on.

import { Button } from './button.tsx'
import { plainText } from './plain-text.ts'

export interface ProblemProps {
  readonly error: { readonly message: string }
  readonly retry?: () => void
}

export function Problem({ error, retry }: ProblemProps) {
  return (
    <div role="alert" className="m-3 flex flex-wrap items-center gap-3 rounded border border-deny bg-deny-tint px-3 py-2 text-deny">
      <span className="wrap-anywhere">{plainText(error.message, 1000)}</span>
      {retry !== undefined && <Button onClick={retry}>Try again</Button>}
    </div>
  )
}
