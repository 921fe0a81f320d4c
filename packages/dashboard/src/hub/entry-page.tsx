// One entry: what the hub holds of it, and the proof that it is in the ledger of its machine.
import type { HubApi } from '#hub/api.ts'
import { Button } from '../part/button.tsx'
import { CopyButton } from '../part/copy-button.tsx'
import { Json, jsonText } from '../part/json.tsx'
import { Loading } from '../part/loading.tsx'
import { plainLine } from '../part/plain-text.ts'
import { Problem } from '../part/problem.tsx'
import { saveFile } from '../part/save-file.ts'
import { Section } from '../part/section.tsx'
import { dayAndClock } from '../part/time.ts'
import { useHub } from './ask-hub.ts'
import { Fact, FactList } from './fact-list.tsx'
import { HubLink } from './hub-link.tsx'
import { hubHref } from './hub-url.ts'

type EntryView = HubApi['/v1/entry']

export function EntryPage({ chain, seq }: { readonly chain: string; readonly seq: string }) {
  const found = useHub('/v1/entry', { query: { chain, seq }, everyMs: 0 })
  if (found.error !== null) return <Problem error={found.error} retry={() => void found.refetch()} />
  if (found.data === undefined) return <Loading />
  const entry = found.data
  return (
    <div className="flex flex-col gap-6 p-4">
      <header className="flex flex-wrap items-center gap-3">
        <HubLink href={hubHref('search')} className="text-quiet hover:text-ink">
          Search
        </HubLink>
        <h2 className="font-semibold text-large">
          Entry {entry.seq} of {plainLine(entry.machine?.name ?? 'a machine that is gone', 60)}
        </h2>
      </header>
      <Facts entry={entry} />
      <Section title="Body">
        {entry.body === null ? (
          <p className="text-quiet">The machine sends no bodies; its own ledger holds this one. The hash below is of body and salt.</p>
        ) : (
          <Json value={entry.body} label="body" />
        )}
        {entry.erased !== null && (
          <p className="text-ask">Taken out before it was sent: {entry.erased.map(each => plainLine(each, 80)).join(', ')}</p>
        )}
      </Section>
      <Section title="Inclusion proof">
        <ProofOf entry={entry} onAgain={() => void found.refetch()} />
      </Section>
    </div>
  )
}

function Facts({ entry }: { readonly entry: EntryView }) {
  return (
    <FactList>
      <Fact name="recorded">{dayAndClock(entry.time)}, by the machine's clock</Fact>
      <Fact name="received">{dayAndClock(entry.received)}</Fact>
      {(['actor', 'session', 'kind', 'tool', 'verdict', 'rule', 'policy', 'judge'] as const).map(name => (
        <Fact key={name} name={name}>
          {plainLine(entry[name] ?? '–', 300)}
        </Fact>
      ))}
      <Fact name="body hash">{entry.bodyHash}</Fact>
      <Fact name="head">{entry.isProved ? 'proved: it gives the hash in the ledger' : 'as the machine says: only its hash is proved'}</Fact>
    </FactList>
  )
}

function ProofOf({ entry, onAgain }: { readonly entry: EntryView; readonly onAgain: () => void }) {
  const { proof } = entry
  if (proof === null)
    return (
      <p className="flex flex-wrap items-center gap-2 text-quiet">
        {entry.format === 2
          ? 'No cosigned checkpoint covers this entry yet: a machine signs one every minute.'
          : 'Entries of the first format are proved on their machine: belay ledger prove.'}
        <Button onClick={onAgain}>Look again</Button>
      </p>
    )
  const name = `proof-${plainLine(entry.machine?.name ?? 'machine', 40).replaceAll(/[^\w-]/g, '_')}-${entry.seq}.json`
  const text = `${jsonText(proof)}\n`
  const check = `node verify-proof.mjs ${name} 'KEY'`
  return (
    <>
      <p className="text-quiet">
        Entry {entry.seq} is leaf {proof.index} of a tree of {proof.size} leaves. Its root is signed by the machine's ledger and cosigned by
        this hub. Whoever has the ledger's public key checks it without Belay:
      </p>
      <div className="mono flex items-center justify-between gap-2 rounded border bg-surface py-1 pr-1 pl-3">
        <span className="wrap-anywhere">{check}</span>
        <CopyButton text={check} />
      </div>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => saveFile(name, new Blob([text], { type: 'application/json' }))}>Download the proof</Button>
        <CopyButton label="Copy" text={text} />
      </div>
      <details>
        <summary className="w-fit text-quiet">Show the proof</summary>
        <Json value={proof} label="inclusion proof" />
      </details>
    </>
  )
}
