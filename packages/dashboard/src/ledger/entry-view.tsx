// One entry by its number: what it says, where it stands in the chain, and the proof that it does.
import { useVerb } from '../daemon/use-verb.ts'
import { Link } from '../frame/link.tsx'
import { setParam } from '../frame/url.ts'
import { Button } from '../part/button.tsx'
import { UnifiedDiff } from '../part/diff.tsx'
import { Icon } from '../part/icon.tsx'
import { Json } from '../part/json.tsx'
import { Loading } from '../part/loading.tsx'
import { plainLine, plainText } from '../part/plain-text.ts'
import { Problem } from '../part/problem.tsx'
import { Section } from '../part/section.tsx'
import { dayAndClock } from '../part/time.ts'
import { VerdictMark } from '../part/verdict-mark.tsx'
import { Proof } from './proof.tsx'

const STEP = 'inline-flex min-h-7 items-center gap-1 rounded border bg-surface px-2 text-small hover:bg-hover'

export function EntryView({ id }: { readonly id: string }) {
  const seq = Number(id)
  const isNumber = Number.isSafeInteger(seq) && seq > 0
  const found = useVerb('page.record', { seq }, { enabled: isNumber })
  if (!isNumber) return <Problem error={{ message: `${plainLine(id, 40)} is not the number of an entry.` }} />
  const detail = found.data?.row.seq === seq ? found.data : undefined
  return (
    <div className="thin-scroll flex h-full flex-col gap-5 overflow-y-auto p-4">
      <header className="flex flex-wrap items-center gap-2">
        <h2 className="mr-2 font-semibold text-large">Entry {seq}</h2>
        {detail !== undefined && (
          <VerdictMark verdict={detail.row.verdict} rewritten={detail.row.isRewritten} failed={detail.row.hasFailedHook} />
        )}
        {detail !== undefined && <span className="text-faint">{dayAndClock(detail.row.time)}</span>}
        <span className="ml-auto flex gap-1">
          {seq > 1 && (
            <Link page="ledger" id={seq - 1} className={STEP}>
              <Icon name="left" size={13} /> {seq - 1}
            </Link>
          )}
          <Link page="ledger" id={seq + 1} className={STEP}>
            {seq + 1} <Icon name="right" size={13} />
          </Link>
          <Button onClick={() => setParam('event', String(seq), { replace: false })}>Inspect</Button>
        </span>
      </header>
      {found.error !== null && <Problem error={found.error} retry={() => void found.refetch()} />}
      {detail === undefined && found.error === null && <Loading />}
      {detail !== undefined && (
        <>
          <p className="text-[15px] leading-6 wrap-anywhere">{plainText(detail.sentence, 1500)}</p>
          <Section title="Place in the chain">
            <ol className="mono flex flex-col gap-1 border-l-2 border-rewrite pl-3 wrap-anywhere">
              <li className="text-faint">
                {seq - 1} {detail.prev}
              </li>
              <li>
                {seq} {detail.hash}
              </li>
            </ol>
          </Section>
          <Proof seq={seq} />
          {detail.diffs.map(({ path, text }) => (
            <Section key={path} title={plainLine(path)}>
              <UnifiedDiff text={text} />
            </Section>
          ))}
          <Section title="What was recorded">
            <Json value={detail.body} label="recorded body" />
          </Section>
        </>
      )}
    </div>
  )
}
