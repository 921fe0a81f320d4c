// A call to try: who, which tool, with what, where. It may begin as a recorded one.
import { useState } from 'react'
import type { TriedCall } from '#page/policy.ts'
import { Problem } from '../part/problem.tsx'
import { Section } from '../part/section.tsx'
import { type CallField, fieldsOf, inputOf, KNOWN_TOOLS, valuesOf } from './call-fields.ts'
import { BOX, Labelled, Suggested } from './labelled.tsx'
import { useRecordedCall } from './use-recorded-call.ts'

export interface CallFormProps {
  /** Number of a recorded call to begin with. */
  readonly from: number | null
  readonly actors: readonly string[]
  readonly call: TriedCall
  readonly onCall: (call: TriedCall) => void
}

const AS_JSON: readonly CallField[] = [{ name: 'json', label: 'Input as JSON', isLong: true }]
const FOLDER: CallField = { name: 'cwd', label: "Folder (the project's, if empty)" }

export function CallForm({ from, actors, call, onCall }: CallFormProps) {
  const [values, setValues] = useState(() => valuesOf(call.tool, call.input))
  const [problem, setProblem] = useState<string | null>(null)
  const error = useRecordedCall(from, recorded => {
    setValues(valuesOf(recorded.tool, recorded.input))
    setProblem(null)
    onCall(recorded)
  })
  function change(tool: string, next: Readonly<Record<string, string>>): void {
    setValues(next)
    const read = inputOf(tool, next)
    setProblem(read.ok ? null : read.why)
    onCall({ ...call, tool, input: read.ok ? read.input : {} })
  }
  return (
    <Section title="Try a call">
      {error !== null && <Problem error={error} />}
      <div className="grid grid-cols-2 gap-2">
        <Suggested label="Actor" value={call.actor} choices={actors} onText={actor => onCall({ ...call, actor })} />
        <Suggested label="Tool" value={call.tool} choices={KNOWN_TOOLS} onText={tool => change(tool, values)} />
        {(fieldsOf(call.tool) ?? AS_JSON).map(field => (
          <Field
            key={field.name}
            field={field}
            value={values[field.name] ?? ''}
            onText={text => change(call.tool, { ...values, [field.name]: text })}
          />
        ))}
        <Field field={FOLDER} value={call.cwd ?? ''} onText={folder => onCall(withFolder(call, folder))} />
      </div>
      {problem !== null && (
        <p role="alert" className="text-deny">
          {problem}
        </p>
      )}
    </Section>
  )
}

function Field({ field, value, onText }: { readonly field: CallField; readonly value: string; readonly onText: (text: string) => void }) {
  return (
    <div className="col-span-2">
      <Labelled label={field.label}>
        {id =>
          field.isLong === true ? (
            <textarea
              id={id}
              rows={2}
              value={value}
              spellCheck={false}
              onChange={event => onText(event.target.value)}
              className={`mono py-1 ${BOX}`}
            />
          ) : (
            <input id={id} value={value} spellCheck={false} onChange={event => onText(event.target.value)} className={`mono h-8 ${BOX}`} />
          )
        }
      </Labelled>
    </div>
  )
}

function withFolder({ cwd: _, ...call }: TriedCall, folder: string): TriedCall {
  return folder === '' ? call : { ...call, cwd: folder }
}
