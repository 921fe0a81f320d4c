// Leaves only what deserves a look; kept in the address.
import { useParam } from '../frame/url.ts'

export function OnlyMarked({ text }: { readonly text: string }) {
  const [only, setOnly] = useParam('only')
  return (
    <label className="flex w-fit items-center gap-2 text-small">
      <input
        type="checkbox"
        className="size-3.5 accent-accent"
        checked={only !== null}
        onChange={event => setOnly(event.target.checked ? 'marked' : null)}
      />
      {text}
    </label>
  )
}
