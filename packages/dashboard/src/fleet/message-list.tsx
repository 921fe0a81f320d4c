// What was said in one session, as it was kept: secrets taken out, long ones cut.
import { useVerb } from '../daemon/use-verb.ts'
import { Loading } from '../part/loading.tsx'
import { plainLine } from '../part/plain-text.ts'
import { Problem } from '../part/problem.tsx'
import { Text } from '../part/text.tsx'
import { clock } from '../part/time.ts'

export function MessageList({ session, count }: { readonly session: number; readonly count: number }) {
  const found = useVerb('page.messages', { session }, { enabled: count > 0 })
  if (count === 0) return <p className="text-quiet">No message was kept.</p>
  if (found.error !== null) return <Problem error={found.error} retry={() => void found.refetch()} />
  if (found.data === undefined || found.isPlaceholderData) return <Loading />
  return (
    <ol
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label={`Messages of session ${session}`}
      className="thin-scroll max-h-[32rem] overflow-y-auto rounded-md border bg-surface"
    >
      {found.data.messages.map(({ id, role, content, tool, at }) => (
        <li
          key={id}
          className="flex flex-col gap-0.5 border-b p-2 last:border-b-0 [content-visibility:auto] [contain-intrinsic-size:auto_48px]"
        >
          <span className="flex gap-2 text-small">
            <strong className="font-semibold">{plainLine(role, 40)}</strong>
            {tool !== null && <span className="mono text-quiet">{plainLine(tool, 60)}</span>}
            <span className="ml-auto text-faint">{clock(at)}</span>
          </span>
          <Text text={content} />
        </li>
      ))}
    </ol>
  )
}
