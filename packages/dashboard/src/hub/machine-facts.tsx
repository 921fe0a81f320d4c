// What is said about a machine in more than one place.
import type { Machine } from '#hub/api.ts'
import { Age } from '../part/age.tsx'
import { Badge } from '../part/badge.tsx'
import { Icon, type IconName } from '../part/icon.tsx'
import { plainLine } from '../part/plain-text.ts'
import type { Tone } from '../part/tone.ts'

const STATES: Readonly<Record<Machine['state'], { readonly tone: Tone; readonly icon: IconName; readonly word: string }>> = {
  active: { tone: 'allow', icon: 'allow', word: 'active' },
  silent: { tone: 'deny', icon: 'failed', word: 'silent' },
  never_seen: { tone: 'ask', icon: 'ask', word: 'not heard of yet' },
  left: { tone: 'none', icon: 'none', word: 'left' },
  revoked: { tone: 'none', icon: 'none', word: 'revoked' },
}

export function MachineState({ machine }: { readonly machine: Machine }) {
  const { tone, icon, word } = STATES[machine.state]
  const isNamed = machine.state === 'active' && machine.problems.length > 0
  return (
    <Badge tone={isNamed ? 'deny' : tone} title={plainLine(machine.problems.map(({ what }) => what).join('; '))}>
      <Icon name={isNamed ? 'failed' : icon} size={12} /> {isNamed ? 'in doubt' : word}
    </Badge>
  )
}

/** The bundle in force there, since when, and whether it holds as it should. */
export function PolicyOf({ machine: { policy } }: { readonly machine: Machine }) {
  if (typeof policy.inForce !== 'number') return <span className="text-faint">none of the team</span>
  return (
    <span className="whitespace-nowrap">
      {policy.inForce}
      {typeof policy.since === 'string' && (
        <span className="text-faint">
          {' '}
          for <Age time={policy.since} />
        </span>
      )}
      {policy.isStale === true && <span className="text-ask"> too old</span>}
      {typeof policy.pinned === 'number' && <span className="text-ask"> pinned</span>}
    </span>
  )
}

export function unseenOf({ status }: Machine): number {
  return typeof status.unseenTotal === 'number' ? status.unseenTotal : 0
}

export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? plainLine(String(value), 60) : '–'
}
