// The exact bytes the agent got, and what it could not be told.
import type { RecordDetail } from '#page/record.ts'
import { plainText } from '../part/plain-text.ts'
import { Section } from '../part/section.tsx'
import { CodeBlock } from '../part/text.tsx'

export function Answer({ detail: { answer, degraded } }: { readonly detail: RecordDetail }) {
  if (answer === null) return null
  return (
    <Section title="Answer to the agent" aside={<span className="text-faint text-small">exit {answer.exit}</span>}>
      {answer.stdout === '' && answer.stderr === '' && <p className="text-faint">Nothing: the agent goes on as it would without us.</p>}
      {answer.stdout !== '' && <CodeBlock text={answer.stdout} label="standard output" />}
      {answer.stderr !== '' && (
        <>
          <p className="text-faint text-small">stderr</p>
          <CodeBlock text={answer.stderr} label="standard error" />
        </>
      )}
      {degraded.map(text => (
        <p key={text} className="text-ask text-small wrap-anywhere">
          {plainText(text, 400)}
        </p>
      ))}
    </Section>
  )
}
