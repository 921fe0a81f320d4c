// Shown only where an answer takes longer than 200 ms.

export function Loading({ what = 'Loading' }: { readonly what?: string }) {
  return (
    <div role="status" className="late px-4 py-3 text-faint">
      {what} …
    </div>
  )
}
