// Why no allow rule would have let this call through; null: one would. Rules fold deny over ask over allow, and hooks come before rules.
import type { RecordDetail } from '#page/record.ts'

type Decided = Pick<RecordDetail, 'row' | 'rule' | 'steps'>

const WORDS = { deny: 'denies', ask: 'asks for' } as const

export function whyNotAlways({ row: { verdict, reason }, rule, steps }: Decided): string | null {
  if (verdict === 'allow') return 'It is allowed already.'
  if (verdict === 'none') return null
  const hook = steps.find(step => step.kind === 'hook' && step.verdict === verdict)
  if (hook !== undefined) return `The hook ${hook.name} ${WORDS[verdict]} this call, and no allow rule overrides a hook.`
  const permissions = steps.find(({ kind }) => kind === 'permissions')
  if (permissions === undefined || permissions.outcome === 'default' || permissions.outcome === 'no rule') return null
  if (rule === null) return `No rule changes this: ${reason ?? permissions.reason ?? 'the policy itself decides it'}.`
  const place = rule.place === null ? '' : ` (${rule.place})`
  return `${rule.effect} ${rule.text}${place} ${WORDS[verdict]} this call, and no allow rule overrides that. Change that rule instead.`
}
