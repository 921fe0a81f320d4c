// A scene: one run of the agent, or a few, and the cases that are looked at afterwards.
import type { Case, Seen, Subject } from '../case.ts'
import type { Step } from '../scripted-model.ts'
import type { Stage } from '../stage.ts'

export interface Scene {
  readonly title: string
  readonly cases: readonly Case[]
  /** Why there is nothing to run; null: there is. */
  whyNot?(subject: Subject): string | null
  /** Whose hook file is written, where the agent is to borrow it. */
  borrows?(subject: Subject): string | null
  run(stage: Stage): Promise<Seen>
}

/** A shell command that leaves a file of this name. */
export function touch(id: string, name = id): Step {
  return { id, calls: [{ shell: `touch ${name} file.txt` }] }
}

export const DONE: Step = { text: 'All done.' }

/** One rule of each kind, for whoever needs no more. */
export const PLAIN_POLICY = `version: "2.0"
permissions:
  default: none
  actors:
    "agent:*":
      deny:
        - rule: "Bash(touch denied *)"
          message: "REASON-OF-DENY"
`
