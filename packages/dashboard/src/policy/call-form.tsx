// A call to try: who, which tool, with what, where. It may begin as a recorded one.
import { type ReactNode, useEffect, useId, useState } from 'react'
import type { TriedCall } from '#page/policy.ts'
import { useVerb } from '../daemon/use-verb.ts'
import { Problem } from '../part/problem.tsx'
import { Section } from '../part/section.tsx'
import { type CallField, fieldsOf, inputOf, KNOWN_TOOLS, valuesOf } from './call-fields.ts'

export interface CallFormProps {
  /** Number of a recorded call to begin with. */
  readonly from: number | null
  readonly actors: readonly string[]
  readonly call: TriedCall
  readonly onCall: (call: TriedCall) => void
}

const BOX = 'min-w-0 rounded border border-edge/60 bg-surface px-2 text-small'

export function CallForm({ from, actors, call, onCall }: CallFormProps) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [problem, setProblem] = useState<string | null>(null)
  const recorded = useVerb('page.record', { seq: from ?? 0 }, { enabled: from !== null })
  const ids = { tools: useId(), actors: useId() }
  const { row, inputAfter, inputBefore, cwd } = recorded.data ?? {}

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the recorded call has come
  useEffect(() => {
    if (row === undefined || row.tool === null || row.seq !== from) return
    const input = asFields(inputAfter) ?? asFields(inputBefore) ?? {}
    setValues(valuesOf(row.tool, input))
    onCall({ actor: row.actor, tool: row.tool, input, ...(cwd === null || cwd === undefined ? {} : { cwd }) })
  }, [row?.seq])

  function change(tool: string, next: Readonly<Record<string, string>>): void {
    setValues(next)
    const read = inputOf(tool, next)
    setProblem(read.ok ? null : read.why)
    onCall({ ...call, tool, input: read.ok ? read.input : {} })
  }

  const fields = fieldsOf(call.tool) ?? [{ name: 'json', label: 'Input as JSON', isLong: true }]
  return (
    <Section title="Try a call">
      {recorded.error !== null && <Problem error={recorded.error} />}
      <div className="grid grid-cols-2 gap-2">
        <Labelled label="Actor">
          <input
            list={ids.actors}
            value={call.actor}
            onChange={event => onCall({ ...call, actor: event.target.value })}
            spellCheck={false}
            className={`h-8 ${BOX}`}
          />
        </Labelled>
        <Labelled label="Tool">
          <input
            list={ids.tools}
            value={call.tool}
            onChange={event => change(event.target.value, values)}
            spellCheck={false}
            className={`h-8 ${BOX}`}
          />
        </Labelled>
        <datalist id={ids.actors}>
          {actors.map(actor => (
            <option key={actor} value={actor} />
          ))}
        </datalist>
        <datalist id={ids.tools}>
          {KNOWN_TOOLS.map(tool => (
            <option key={tool} value={tool} />
          ))}
        </datalist>
        {fields.map(field => (
          <Field
            key={field.name}
            field={field}
            value={values[field.name] ?? ''}
            onText={text => change(call.tool, { ...values, [field.name]: text })}
          />
        ))}
        <div className="col-span-2">
          <Labelled label="Folder (the project's, if empty)">
            <input
              value={call.cwd ?? ''}
              onChange={event => onCall(withFolder(call, event.target.value))}
              spellCheck={false}
              className={`mono h-8 ${BOX}`}
            />
          </Labelled>
        </div>
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
  const shared = { value, spellCheck: false, className: `mono ${BOX}` }
  return (
    <div className="col-span-2">
      <Labelled label={field.label}>
        {field.isLong === true ? (
          <textarea {...shared} rows={2} onChange={event => onText(event.target.value)} className={`mono py-1 ${BOX}`} />
        ) : (
          <input {...shared} onChange={event => onText(event.target.value)} className={`mono h-8 ${BOX}`} />
        )}
      </Labelled>
    </div>
  )
}

function Labelled({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
    <label className="flex min-w-0 flex-col gap-0.5">
      <span className="text-quiet text-small">{label}</span>
      {children}
    </label>
  )
}

function withFolder({ cwd: _, ...call }: TriedCall, folder: string): TriedCall {
  return folder === '' ? call : { ...call, cwd: folder }
}

function asFields(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
}
