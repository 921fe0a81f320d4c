// What the agent sent, what it became, what was put into its context, and what an edit did to a file.
import type { RecordDetail } from '#page/record.ts'
import { Diff, UnifiedDiff } from '../part/diff.tsx'
import { Json } from '../part/json.tsx'
import { plainLine, withoutProject } from '../part/plain-text.ts'
import { Section } from '../part/section.tsx'
import { CodeBlock } from '../part/text.tsx'
import { readableInput } from './readable-input.ts'

export function Input({ detail }: { readonly detail: RecordDetail }) {
  const { inputBefore, inputAfter, context, diffs, row } = detail
  return (
    <>
      {inputBefore !== null && inputBefore !== undefined && (
        <Section title={inputAfter === null ? 'Input' : 'Input, before and after it was rewritten'}>
          {inputAfter === null ? (
            <Json value={inputBefore} label="input" />
          ) : (
            <Diff before={readableInput(inputBefore)} after={readableInput(inputAfter)} />
          )}
        </Section>
      )}
      {context.length > 0 && (
        <Section title="Put into the agent's context">
          {context.map((text, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the context of one entry never moves
            <CodeBlock key={index} text={text} label="injected context" />
          ))}
        </Section>
      )}
      {diffs.map(({ path, text }) => (
        <Section key={path} title={`Changed ${plainLine(withoutProject(path, row.project), 200)}`}>
          <UnifiedDiff text={text} />
        </Section>
      ))}
    </>
  )
}
