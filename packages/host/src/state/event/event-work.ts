// What one event does to the work: `before` runs ahead of the hooks and sets what they read, `after` changes state by what was decided and
// may add text for the model.
import type { GuardedCall } from '@belay/core'
import type { WorkParts } from '../work-parts.ts'
import type { WorkView } from '../work-view.ts'

export interface EventWork {
  before?(parts: WorkParts, view: WorkView): Promise<void> | void
  after?(parts: WorkParts, view: WorkView, guarded: GuardedCall): Promise<readonly string[]> | readonly string[]
}
