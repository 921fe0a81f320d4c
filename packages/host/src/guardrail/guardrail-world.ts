// What guardrails get of this machine: alone (the Node shim, a dry run) what needs no daemon, in the daemon all of it.
import { readFile } from 'node:fs/promises'
import { createMemoryPort, type GuardrailPorts, type HarnessState, type HookContext, type SkillPort, type ToolCallLog } from '@belay/core'
import { createSkillBook, type SkillBook } from '../state/skill.ts'
import type { WorkParts } from '../state/work-parts.ts'
import { viewOf } from '../state/work-view.ts'
import { artifactFiles } from './artifact-files.ts'
import { compileSchema } from './compile-schema.ts'
import { openHarnessFiles } from './harness-file.ts'
import { runCheck } from './run-check.ts'
import { createToolCallLog, type DaemonCallLog } from './tool-call-log.ts'

export type GuardrailWorld = Pick<GuardrailPorts, 'compileSchema' | 'files' | 'skills' | 'toolCalls' | 'harness' | 'memory'>

/** Without a daemon nobody knows which calls have run: those that may run only once cannot be judged, and count as failed. */
const blindLog: ToolCallLog = {
  runIdOf: ({ sessionId }) => sessionId,
  find: () => Promise.reject(new Error('only the daemon knows whether this call has run before; start it with `belay up`')),
  begin: () => Promise.resolve(),
  end: () => Promise.resolve(),
}

export function createLocalWorld({ belayHome, userHome }: { readonly belayHome: string; readonly userHome: string }): GuardrailWorld {
  return {
    compileSchema,
    // A look without consequences: cleaning up is the daemon's.
    files: { ...artifactFiles, remove: () => Promise.resolve() },
    skills: skillPort(createSkillBook({ belayHome, userHome })),
    toolCalls: blindLog,
  }
}

/** For a look at what would be said: nothing has run before, every verification passes, nothing is kept. */
export function createDryWorld(homes: { readonly belayHome: string; readonly userHome: string }): GuardrailWorld {
  const checkpoints = new Map<string, HarnessState>()
  return {
    ...createLocalWorld(homes),
    toolCalls: { ...blindLog, find: async () => null },
    harness: {
      keyOf: ({ cwd }) => cwd,
      load: async key => checkpoints.get(key) ?? null,
      save: async (key, state) => void checkpoints.set(key, state),
      verify: async () => [],
      handOver: async () => false,
    },
  }
}

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
    harness: {
      ...openHarnessFiles(belayHome),
      keyOf: loopOf,
      async verify(commands, context) {
        const cwd = context.source.delivery?.root ?? context.cwd
        const problems: string[] = []
        for (const command of commands) {
          const problem = await runCheck(command, { cwd, env: checkEnvironment(env), timeoutMs: CHECK_MS, signal: context.signal })
          if (problem !== null) problems.push(problem)
        }
        return problems
      },
      handOver: async (_key, prompt, context) => handOver(parts, prompt, context),
    },
  }
}

function skillPort(book: SkillBook): SkillPort {
  return { list: async root => book.list(root), read: file => readFile(file, 'utf8') }
}

/** The work that outlives a session: the effort, else the agent by its own id, else the project. */
function loopOf({ metadata, source }: HookContext): string {
  const view = viewOf(metadata)
  if (view?.effort) return `effort:${view.effort.id}`
  const root = source.delivery?.root ?? source.cwd
  return view?.call.isNamed === true ? `agent:${view.agent.id}\n${root}` : `project:${root}\n${source.agent}`
}

function checkEnvironment(env: DaemonWorldOptions['env']): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => /^(?:PATH|HOME|USER|SHELL|LANG|LC_.*|TERM|TMPDIR|XDG_.*)$/.test(name)))
}

function handOver(parts: WorkParts, prompt: string, { metadata, source }: HookContext): boolean {
  const view = viewOf(metadata)
  const run = view === null ? null : parts.runs.find(view.agent.id, source.env.BELAY_RUN_ID ?? null)
  if (run === null) return false
  parts.publish('run.restart', parts.runs.handOver(run, { reason: 'the next iteration of its objective', prompt }))
  return true
}
