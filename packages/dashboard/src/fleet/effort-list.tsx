// Runs of skills: the phases gone through with the proof of each, and the files that came of it.

import { useState } from 'react'
import type { EffortView } from '#page/fleet.ts'
import { Age } from '../part/age.tsx'
import { Badge } from '../part/badge.tsx'
import { Icon } from '../part/icon.tsx'
import { Json } from '../part/json.tsx'
import { plainLine } from '../part/plain-text.ts'
import { dayAndClock } from '../part/time.ts'
import { ArtifactDialog } from './artifact-dialog.tsx'

type Opened = { readonly effort: number; readonly path: string }

export function EffortList({ efforts }: { readonly efforts: readonly EffortView[] }) {
  const [opened, setOpened] = useState<Opened | null>(null)
  if (efforts.length === 0)
    return (
      <p className="text-quiet">
        No effort: <code className="mono">belay effort start SKILL</code> begins one.
      </p>
    )
  return (
    <>
      {efforts.map(effort => (
        <Effort key={effort.id} effort={effort} onOpen={path => setOpened({ effort: effort.id, path })} />
      ))}
      {opened !== null && <ArtifactDialog {...opened} onClose={() => setOpened(null)} />}
    </>
  )
}

function Effort({ effort, onOpen }: { readonly effort: EffortView; readonly onOpen: (path: string) => void }) {
  const { id, skill, mode, ordinal, lifecycle, task, phases, artifacts } = effort
  return (
    <article aria-label={`Effort ${id}`} className="flex flex-col gap-2 rounded-md border bg-surface p-3">
      <div className="flex flex-wrap items-center gap-2">
        <strong className="font-semibold">
          {ordinal}. {plainLine(skill, 60)}
        </strong>
        {mode !== null && <span className="text-quiet">{plainLine(mode, 40)}</span>}
        <Badge tone={lifecycle === 'active' ? 'allow' : 'none'}>{lifecycle}</Badge>
        <span className="mono ml-auto min-w-0 truncate text-faint" title={plainLine(task)}>
          #{id} {plainLine(task.split('/').filter(Boolean).slice(-2).join('/'), 80)}
        </span>
      </div>
      <Phases phases={phases} />
      {artifacts.length > 0 && (
        <ul aria-label="Artifacts" className="flex flex-col">
          {artifacts.map(({ path, bytes, changedAt }) => (
            <li key={path} className="flex items-center gap-2 text-small">
              <button
                type="button"
                onClick={() => onOpen(path)}
                className="mono min-w-0 truncate py-0.5 text-left text-accent hover:underline"
              >
                {plainLine(path.startsWith(`${task}/`) ? path.slice(task.length + 1) : path, 200)}
              </button>
              <span className="ml-auto shrink-0 text-faint">
                {sizeText(bytes)}, <Age time={changedAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </article>
  )
}

function Phases({ phases }: { readonly phases: EffortView['phases'] }) {
  if (phases.length === 0) return null
  return (
    <ol className="flex flex-col gap-1 border-l pl-3">
      {phases.map(({ phase, proof, at }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what was gone through never moves, and a phase can come twice
        <li key={index} className="text-small">
          <span className="flex items-center gap-2">
            <Icon
              name={index === phases.length - 1 ? 'right' : 'allow'}
              size={12}
              className={index === phases.length - 1 ? 'text-accent' : 'text-allow'}
            />
            <span className={index === phases.length - 1 ? 'font-medium' : ''}>{plainLine(phase, 60)}</span>
            <span className="text-faint">{dayAndClock(at)}</span>
          </span>
          {proof !== null && proof !== undefined && (
            <details className="pl-5">
              <summary className="w-fit text-quiet">proof</summary>
              <Json value={proof} label={`proof of ${plainLine(phase, 60)}`} />
            </details>
          )}
        </li>
      ))}
    </ol>
  )
}

export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`
}
