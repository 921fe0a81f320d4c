// How long a request still waits, and in which way: the agent is held and will be refused, or it was refused and may try again.
import { useNow } from './age.tsx'
import { isHeld, timeLeft } from './time-left.ts'

export interface WaitsForProps {
  /** Until when the agent waits; null: it does not. */
  readonly heldUntil: string | null
  readonly expiresAt: string
  readonly isGate?: boolean
}

export function WaitsFor({ heldUntil, expiresAt, isGate = false }: WaitsForProps) {
  const now = useNow()
  if (heldUntil !== null && isHeld(heldUntil, now)) {
    const held = timeLeft(heldUntil, now)
    return (
      <span className={`whitespace-nowrap text-small ${held.isUrgent ? 'font-semibold text-deny' : 'text-quiet'}`}>
        held, refused in <span role="timer">{held.text}</span>
      </span>
    )
  }
  return (
    <span className="text-quiet text-small">
      {isGate ? '' : 'refused for now, allowed it may try again · '}
      <span className="whitespace-nowrap">
        <span role="timer">{timeLeft(expiresAt, now).text}</span> left to decide
      </span>
    </span>
  )
}
