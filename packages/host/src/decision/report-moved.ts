// A file tool wrote elsewhere than it was judged to: an entry in the ledger, a warning in the log, and a word to the model. What the policy
// says of the file that was really written is part of it.
import type { HookEvent } from '@belay/core'
import type { MovedPath } from '../evidence/written-paths.ts'
import type { ProjectGuard } from '../guard/project-guard.ts'
import type { Ledger } from '../ledger/open-ledger.ts'

export interface MovedReport {
  readonly event: HookEvent
  readonly moved: readonly MovedPath[]
  readonly guard: ProjectGuard
  readonly append: Ledger['append']
  warn(message: string): void
}

export async function reportMoved({ event, moved, guard, append, warn }: MovedReport): Promise<readonly string[]> {
  const { toolName, toolInput, toolUseId } = event.fields
  const tool = String(toolName)
  const input = typeof toolInput === 'object' && toolInput !== null ? { ...toolInput } : {}
  const { verdict } = guard.judge({ tool, input }, event)
  const { agent, sessionId: session, cwd, actor, delivery } = event
  const body = {
    event: event.name,
    agent,
    agentId: delivery?.agentId ?? null,
    root: delivery?.root ?? null,
    cwd,
    tool,
    toolUseId: toolUseId ?? null,
    paths: moved,
    verdictNow: verdict.decision,
  }
  const texts = moved.map(describe)
  for (const text of texts) warn(text)
  try {
    await append({ actor, session, kind: 'path_changed', policy: delivery?.policyHash ?? null, body })
  } catch (error) {
    warn(`that a file was written elsewhere could not be recorded: ${String(error)}`)
  }
  return texts
}

function describe({ path, judged, written }: MovedPath): string {
  const what =
    judged === written
      ? `led to ${judged} before and after, but a link on the way was replaced`
      : `was judged as ${judged} and is ${written} now`
  return `Belay: while this call ran, somebody changed where ${path} leads: it ${what}. A person should look at what was written there (belay ledger query --kind path_changed).`
}
