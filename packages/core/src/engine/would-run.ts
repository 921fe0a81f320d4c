// The hooks that an occurrence concerns, in the order of their turns, without running any: as if none rewrote the event or denied it.
import type { HookEvent } from '../hook/hook-event.ts'
import type { RegisteredHook } from '../registry/registered-hook.ts'
import type { Registry } from '../registry/registry.ts'
import { subjectOf, whySkipped } from './select.ts'

export function wouldRun(registry: Registry, event: HookEvent): readonly RegisteredHook[] {
  const { spec, batches } = registry.planFor(event.name)
  const subject = subjectOf(event, spec)
  return batches.flat().filter(hook => whySkipped(hook, subject, registry) === null)
}
