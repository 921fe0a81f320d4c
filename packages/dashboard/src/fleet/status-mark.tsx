// How an agent stands: icon, word, colour.
import { Icon, type IconName } from '../part/icon.tsx'
import { TONES, toneOfStatus } from '../part/tone.ts'
import type { FleetAgent } from './fleet-agent.ts'

type Status = FleetAgent['status']

/** What needs a person first. */
export const STATUSES: readonly Status[] = ['error', 'attention', 'working', 'checked', 'done']

const ICONS: Readonly<Record<Status, IconName>> = { error: 'failed', attention: 'ask', working: 'live', checked: 'allow', done: 'none' }

export interface StatusMarkProps {
  readonly status: Status
  readonly stale?: boolean
  /** For a decision of yours. */
  readonly waits?: boolean
  readonly plain?: boolean
}

export function StatusMark({ status, stale = false, waits = false, plain = false }: StatusMarkProps) {
  const look = TONES[toneOfStatus(waits ? 'waits' : status)]
  return (
    <span
      title={stale ? 'it says it works, and nothing has been heard of it for five minutes' : undefined}
      className={`inline-flex items-center gap-1 whitespace-nowrap align-middle font-medium text-small ${look.text} ${plain ? '' : `rounded px-1.5 ${look.tint}`} ${stale ? 'outline-1 outline-current outline-dashed' : ''}`}
    >
      <Icon name={waits ? 'ask' : ICONS[status]} size={13} />
      {waits ? 'waits for you' : status}
      {stale && ', stale'}
    </span>
  )
}
