// How the call would come out, and why: units, the rule, paths, hooks that would run.
import type { Tried } from '#page/policy.ts'
import type { RecordPart } from '#page/record.ts'
import { Command } from '../part/command.tsx'
import { inProject, plainLine, plainText, withoutRule } from '../part/plain-text.ts'
import { Section } from '../part/section.tsx'
import { VerdictMark } from '../part/verdict-mark.tsx'
import { shortPlace } from './short-place.ts'

export interface TriedViewProps {
  readonly tried: Tried
  readonly root: string
  readonly isBusy: boolean
}

export function TriedView({ tried, root, isBusy }: TriedViewProps) {
  const { verdict, reason, rule, command, parts, hooks } = tried
  return (
    <Section title="It would be">
      <div aria-live="polite" aria-busy={isBusy} className="flex flex-col gap-3 rounded border bg-surface p-3">
        <p className="flex flex-wrap items-baseline gap-2">
          <VerdictMark verdict={verdict} />
          <span className="min-w-0 wrap-anywhere">{plainText(withoutRule(inProject(reason, root), rule?.text ?? null), 600)}</span>
        </p>
        {rule !== null && (
          <p className="flex flex-wrap items-baseline gap-x-3">
            <code className="mono wrap-anywhere">
              {plainLine(rule.effect)} {plainLine(rule.text)}
            </code>
            <span className="mono text-faint wrap-anywhere">{rule.place === null ? plainLine(rule.id) : shortPlace(rule.place, root)}</span>
          </p>
        )}
        {command !== null && command !== '' && <Command command={command} parts={parts} />}
        {parts.length > 0 && (
          <ul aria-label="Parts" className="flex flex-col gap-1 border-t pt-2">
            {parts.map((part, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one answer never move
              <Part key={index} part={part} said={reason} root={root} />
            ))}
          </ul>
        )}
        <Hooks hooks={hooks} root={root} />
      </div>
    </Section>
  )
}

/** `said`: what stands above already. */
function Part({ part, said, root }: { readonly part: RecordPart; readonly said: string; readonly root: string }) {
  const { decision, what, source, normal, rule, reason, lexicalPath, realPath } = part
  const why = reason === said ? '' : inProject(reason, root)
  return (
    <li className="grid grid-cols-[76px_minmax(0,1fr)] gap-x-2 text-small">
      <VerdictMark verdict={decision} plain />
      <span className="mono wrap-anywhere">
        {plainLine(normal === '' ? source : normal, 300)} <span className="text-faint">{plainLine(what, 40)}</span>
      </span>
      <span className="col-start-2 text-faint wrap-anywhere">
        {rule !== null && !why.includes('rule ') && (
          <>
            by the rule <span className="mono">{plainLine(rule, 160)}</span>{' '}
          </>
        )}
        {plainLine(why, 300)}
        {realPath !== null && realPath !== lexicalPath && <span className="mono"> (really {plainLine(realPath, 200)})</span>}
      </span>
    </li>
  )
}

function Hooks({ hooks, root }: { readonly hooks: Tried['hooks']; readonly root: string }) {
  if (hooks.length === 0) return <p className="text-faint text-small">No hook would run.</p>
  return (
    <div className="flex flex-col gap-0.5 border-t pt-2 text-small">
      <span className="text-quiet">Hooks that would run, in this order; here they do not:</span>
      <ol>
        {hooks.map(({ name, scope, type, place }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the hooks of one answer never move
          <li key={index} className="flex flex-wrap gap-x-2">
            <span className="font-medium">{plainLine(name, 80)}</span>
            <span className="text-faint">
              {plainLine(type, 40)}, {plainLine(scope, 30)}
            </span>
            <span className="mono text-faint wrap-anywhere">{place === null ? '' : shortPlace(place, root)}</span>
          </li>
        ))}
      </ol>
    </div>
  )
}
