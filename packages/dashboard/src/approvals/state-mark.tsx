// How a request stands, in the family of the verdicts.
import type { Approval } from '#page/api.ts'
import { Icon, type IconName } from '../part/icon.tsx'
import { TONES, type Tone } from '../part/tone.ts'

const LOOKS: Readonly<Record<Approval['state'], { readonly tone: Tone; readonly icon: IconName; readonly word: string }>> = {
  pending: { tone: 'ask', icon: 'ask', word: 'waiting' },
  allowed: { tone: 'allow', icon: 'allow', word: 'allowed' },
  denied: { tone: 'deny', icon: 'deny', word: 'denied' },
  expired: { tone: 'none', icon: 'none', word: 'expired' },
}

export function StateMark({ state, plain = false }: { readonly state: Approval['state']; readonly plain?: boolean }) {
  const { tone, icon, word } = LOOKS[state]
  return (
    <span
      className={`inline-flex items-center gap-1 whitespace-nowrap font-medium text-small ${TONES[tone].text} ${plain ? '' : `rounded px-1.5 ${TONES[tone].tint}`}`}
    >
      <Icon name={icon} size={13} />
      {word}
    </span>
  )
}
