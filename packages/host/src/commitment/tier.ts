// Tiers of genesis 1.0: t1 closes by itself, t2 too but can be reopened for a day, t3 is reviewed by approvers.
import { type GenesisPolicy, matchesActor, parseDuration } from '@belay/core/policy'
import { TIERS, type Tier } from './operation.ts'
import { dataIn, listIn, numberIn, textIn, textsIn } from './policy-data.ts'
import { matchesSubject, type Subject } from './subject-match.ts'

const HOUR_MS = 3_600_000
const REOPEN_HOURS = 24

export function isTier(value: unknown): value is Tier {
  return TIERS.some(tier => tier === value)
}

/** The first classification rule that fits, else the policy's default, else none. */
export function classifyTier(policies: readonly GenesisPolicy[], subject: Subject): Tier | null {
  for (const { sections } of policies) {
    const tiers = dataIn(sections.tiers)
    for (const item of [...listIn(tiers.classification), ...listIn(tiers.rules)]) {
      const rule = dataIn(item)
      const tier = lower(rule.tier)
      if (isTier(tier) && matchesSubject(rule.match ?? rule.when, subject)) return tier
    }
    const standard = lower(tiers.default)
    if (isTier(standard)) return standard
  }
  return null
}

/** Until when an automatic close may be undone. */
export function reopenLimit(policies: readonly GenesisPolicy[], tier: Tier | null, nowMs: number): string | null {
  if (tier === null || tier === 't3') return null
  if (tier === 't1') return 'never'
  return new Date(nowMs + reopenMs(policies)).toISOString()
}

function reopenMs(policies: readonly GenesisPolicy[]): number {
  for (const policy of policies) {
    const settings = tierSettings(policy, 't2')
    const hours = numberIn(settings.reopen_window_hours) ?? numberIn(settings.reopen_window)
    if (hours !== null) return hours * HOUR_MS
    const text = textIn(settings.reopen_window)
    const parsed = text === null ? null : parseDuration(text)
    if (typeof parsed === 'number') return parsed
  }
  return REOPEN_HOURS * HOUR_MS
}

/** Why this actor may not approve at this tier; null: nothing against it. */
export function refuseApprover(policies: readonly GenesisPolicy[], tier: Tier | null, actor: string): string | null {
  if (tier === null) return null
  const approvers = policies.flatMap(policy => {
    const settings = tierSettings(policy, tier)
    return [...textsIn(settings.approvers), ...textsIn(settings.reviewers)]
  })
  if (approvers.length === 0 || approvers.some(approver => matchesActor(approver, actor))) return null
  return `${tier} is approved by ${approvers.join(' or ')}, not by ${actor}`
}

function tierSettings({ sections }: GenesisPolicy, tier: Tier): Readonly<Record<string, unknown>> {
  const tiers = dataIn(sections.tiers)
  return dataIn(tiers[tier] ?? tiers[tier.toUpperCase()])
}

function lower(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value
}
