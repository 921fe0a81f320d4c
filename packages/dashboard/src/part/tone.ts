// The one place that says which colour a verdict or a status has. Never colour alone: an icon and a word go with it.
import type { Verdict } from '#page/record.ts'
import type { IconName } from './icon.tsx'

export type Tone = 'allow' | 'deny' | 'ask' | 'rewrite' | 'none'

interface ToneLook {
  readonly text: string
  readonly tint: string
  readonly line: string
  readonly fill: string
}

export const TONES: Readonly<Record<Tone, ToneLook>> = {
  allow: { text: 'text-allow', tint: 'bg-allow-tint', line: 'border-allow', fill: 'bg-allow' },
  deny: { text: 'text-deny', tint: 'bg-deny-tint', line: 'border-deny', fill: 'bg-deny' },
  ask: { text: 'text-ask', tint: 'bg-ask-tint', line: 'border-ask', fill: 'bg-ask' },
  rewrite: { text: 'text-rewrite', tint: 'bg-rewrite-tint', line: 'border-rewrite', fill: 'bg-rewrite' },
  none: { text: 'text-none', tint: 'bg-none-tint', line: 'border-edge', fill: 'bg-none' },
}

export interface VerdictLook {
  readonly tone: Tone
  readonly icon: IconName
  readonly word: string
}

export function lookOf(verdict: Verdict, isRewritten = false): VerdictLook {
  if (isRewritten && (verdict === 'allow' || verdict === 'none')) return { tone: 'rewrite', icon: 'rewrite', word: 'rewritten' }
  return { tone: verdict, icon: verdict, word: WORDS[verdict] }
}

const WORDS: Readonly<Record<Verdict, string>> = { allow: 'allow', deny: 'deny', ask: 'ask', none: 'none' }

/** Statuses of agents use the same family. */
export function toneOfStatus(status: string): Tone {
  if (status === 'error') return 'deny'
  if (status === 'attention' || status === 'waits') return 'ask'
  if (status === 'working') return 'allow'
  return status === 'checked' ? 'rewrite' : 'none'
}
