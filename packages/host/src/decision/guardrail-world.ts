// What guardrails get in the daemon: all of it.
import { createMemoryPort, type HookContext, runCheck } from '@belay/core'
import { artifactFiles } from '../guardrail/artifact-files.ts'
import { compileSchema } from '../guardrail/compile-schema.ts'
import { type GuardrailWorld, skillPort } from '../guardrail/guardrail-world.ts'
import { openHarnessFiles } from '../guardrail/harness-file.ts'
import { readRevision } from '../guardrail/revision.ts'
import type { WorkParts } from '../state/work-parts.ts'
import { viewOf } from '../state/work-view.ts'
import { createToolCallLog, type DaemonCallLog } from './tool-call-log.ts'

export interface DaemonWorldOptions {
  readonly parts: WorkParts
  readonly env: Readonly<Record<string, string | undefined>>
}

const CHECK_MS = 600_000

export interface DaemonWorld extends GuardrailWorld {
  readonly toolCalls: DaemonCallLog
}

export function createDaemonWorld({ parts, env }: DaemonWorldOptions): DaemonWorld {
  const { store, redact, now, belayHome } = parts
  return {
    compileSchema,
    // One for all policies there will be: what a session has done outlives a policy that is read anew.
    memory: createMemoryPort(),
    files: artifactFiles,
    skills: skillPort(parts.skills),
    toolCalls: createToolCallLog({ store, redact, now }),
    revisionOf: readRevision,
    harness: {
      ...openHarnessFiles(belayHome),
      keyOf: loopOf,
      async verify(commands, context) {
        const cwd = context.source.delivery?.root ?? context.cwd
        const problems: string[] = []
        for (const command of commands) {
          const problem = await runCheck(command, { cwd, env, limitMs: CHECK_MS, signal: context.signal })
          if (problem !== null) problems.push(problem)
        }
        return problems
      },
      handOver: async (_key, prompt, context) => handOver(parts, prompt, context),
    },
  }
}

/** The work that outlives a session: the effort, else the agent by its own id, else the project. */
function loopOf({ metadata, source }: HookContext): string {
  const view = viewOf(metadata)
  if (view?.effort) return `effort:${view.effort.id}`
  const root = source.delivery?.root ?? source.cwd
  return view?.call.isNamed === true ? `agent:${view.agent.id}\n${root}` : `project:${root}\n${source.agent}`
}

function handOver(parts: WorkParts, prompt: string, { metadata }: HookContext): boolean {
  const view = viewOf(metadata)
  const run = view === null ? null : parts.runs.find(view.agent.id, view.call.env.BELAY_RUN_ID ?? null)
  if (run === null) return false
  parts.publish('run.restart', parts.runs.handOver(run, { reason: 'the next iteration of its objective begins', prompt }))
  return true
}
