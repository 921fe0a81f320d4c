// The inclusion proof of an entry: to read, to copy, to hand to somebody who has neither Belay nor this database.
import { useVerb } from '../daemon/use-verb.ts'
import { Button } from '../part/button.tsx'
import { CopyButton } from '../part/copy-button.tsx'
import { Json, jsonText } from '../part/json.tsx'
import { Problem } from '../part/problem.tsx'
import { saveFile } from '../part/save-file.ts'
import { Section } from '../part/section.tsx'

export function Proof({ seq }: { readonly seq: number }) {
  const found = useVerb('page.proof', { seq })
  const proof = found.isPlaceholderData ? undefined : found.data?.proof
  return (
    <Section title="Inclusion proof">
      {found.error !== null && <Problem error={found.error} retry={() => void found.refetch()} />}
      {proof === null && (
        <p className="flex flex-wrap items-center gap-2">
          No checkpoint covers this entry yet. One is signed every minute; <code className="mono">belay ledger checkpoint</code> signs one
          now.
          <Button onClick={() => void found.refetch()}>Look again</Button>
        </p>
      )}
      {proof !== null && proof !== undefined && <Shown seq={seq} proof={proof} />}
    </Section>
  )
}

function Shown({ seq, proof }: { readonly seq: number; readonly proof: Readonly<Record<string, unknown>> }) {
  const name = `proof-${seq}.json`
  const text = `${jsonText(proof)}\n`
  const check = `node verify-proof.mjs ${name} 'KEY'`
  return (
    <>
      <p className="text-quiet">
        Entry {seq} is leaf {String(proof.index)} of a tree of {String(proof.size)} leaves, whose root is signed. Whoever has the public key
        (ledger-*.pub) can check that with <code className="mono">docs/verify-proof.mjs</code>, which shares no code with Belay:
      </p>
      <div className="mono flex items-center justify-between gap-2 rounded border bg-surface py-1 pr-1 pl-3">
        <span className="wrap-anywhere">{check}</span>
        <CopyButton text={check} />
      </div>
      <div className="flex gap-2">
        <Button onClick={() => saveFile(name, new Blob([text], { type: 'application/json' }))}>Download {name}</Button>
        <CopyButton label="Copy" text={text} />
      </div>
      <details>
        <summary className="w-fit text-quiet">Show the proof</summary>
        <Json value={proof} label="inclusion proof" />
      </details>
    </>
  )
}
