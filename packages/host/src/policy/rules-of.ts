// The rules of a policy, each once, with whom it holds for: an alias brings one rule to several actors.
import type { GenesisPolicy, Rule } from '@belay/core/policy'

export interface RuleOfPolicy {
  readonly rule: Rule
  readonly actors: readonly string[]
}

export function rulesOf({ permissions }: Pick<GenesisPolicy, 'permissions'>): readonly RuleOfPolicy[] {
  const found = new Map<string, { rule: Rule; actors: string[] }>()
  for (const { actor, allow, ask, deny } of permissions?.actors ?? []) {
    for (const rule of [...deny, ...ask, ...allow]) {
      const known = found.get(keyOf(rule))
      if (known === undefined) found.set(keyOf(rule), { rule, actors: [actor] })
      else known.actors.push(actor)
    }
  }
  return [...found.values()]
}

/** Two rules in one place are one rule. */
export function keyOf({ id, effect, place }: Rule): string {
  return `${effect} ${id} ${place?.line ?? 0}:${place?.column ?? 0}`
}
