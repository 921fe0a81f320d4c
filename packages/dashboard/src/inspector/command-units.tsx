// Why: what was judged, part by part. The command with its units, then every unit and file effect with the rule that had the say.
import type { RecordDetail, RecordPart, RecordRow } from '#page/record.ts'
import { Command } from '../part/command.tsx'
import { inProject, plainLine, plainText, withoutProject, withoutRule } from '../part/plain-text.ts'
import { Section } from '../part/section.tsx'
import { VerdictMark } from '../part/verdict-mark.tsx'

const MOST = 60

export function CommandUnits({ detail }: { readonly detail: RecordDetail }) {
  const { command, parts, rule, row } = detail
  if (command === null && parts.length === 0 && rule === null && row.reason === null) return null
  return (
    <Section title="Why">
      {command !== null && (
        <div className="rounded border bg-ground px-2.5 py-1.5">
          <Command command={command} parts={parts} />
        </div>
      )}
      {rule !== null && (
        <p className="text-small wrap-anywhere">
          <span className="text-faint">rule </span>
          <span className="mono">
            {rule.effect} {plainText(rule.text, 300)}
          </span>
          {rule.place !== null && <span className="mono text-faint"> {plainLine(withoutProject(rule.place, row.project))}</span>}
        </p>
      )}
      {row.reason !== null && (
        <p className="text-quiet wrap-anywhere">{plainText(withoutRule(inProject(row.reason, row.project), rule?.text ?? null), 1000)}</p>
      )}
      {parts.length > 0 && <PartList parts={parts} row={row} />}
    </Section>
  )
}

function PartList({ parts, row }: { readonly parts: readonly RecordPart[]; readonly row: RecordRow }) {
  return (
    <ul aria-label="Parts that were judged" className="flex flex-col divide-y divide-line/60">
      {parts.slice(0, MOST).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one entry never move
        <Part key={index} part={part} row={row} />
      ))}
      {parts.length > MOST && <li className="py-1 text-faint">and {parts.length - MOST} more, all in the recorded body</li>}
    </ul>
  )
}

function Part({ part, row: { reason: said, project } }: { readonly part: RecordPart; readonly row: RecordRow }) {
  const { lexicalPath, realPath } = part
  const text = part.normal === '' ? part.source : part.normal
  // What stands above already is not said again.
  const why = part.reason === said ? '' : inProject(part.reason, project)
  const hasPath = lexicalPath !== null && (lexicalPath !== text || realPath !== lexicalPath)
  return (
    <li className="grid grid-cols-[76px_minmax(0,1fr)] gap-x-2 py-1">
      <span>
        <VerdictMark verdict={part.decision} plain />
      </span>
      <div className="min-w-0">
        <div className="wrap-anywhere">
          <span className="text-faint text-small">{part.what} </span>
          <span className="mono">{plainLine(text, 300)}</span>
        </div>
        <div className="text-faint text-small wrap-anywhere">
          {part.rule !== null && !why.includes('rule ') && (
            <>
              by the rule <span className="mono">{plainLine(part.rule)}</span>{' '}
            </>
          )}
          {plainLine(why, 300)}
        </div>
        {hasPath && (
          <div className="mono text-small wrap-anywhere">
            {plainLine(lexicalPath, 400)}
            {realPath !== null && realPath !== lexicalPath && (
              <span className="text-ask">
                {' '}
                <span className="sr-only">really </span>→ {plainLine(realPath, 400)}
              </span>
            )}
          </div>
        )}
      </div>
    </li>
  )
}
