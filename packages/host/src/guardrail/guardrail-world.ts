// What guardrails get of this machine where no daemon takes part: in the Node client alone, and in a look at what would be said.
import { promises } from 'node:fs'
import type { GuardrailPorts, HarnessState, SkillPort, ToolCallLog } from '@belay/core'
import { createSkillBook, type SkillBook } from '../config/skill.ts'
import { artifactFiles } from './artifact-files.ts'
import { compileSchema } from './compile-schema.ts'
import { readRevision } from './revision.ts'

export type GuardrailWorld = Pick<GuardrailPorts, 'compileSchema' | 'files' | 'skills' | 'toolCalls' | 'harness' | 'memory' | 'revisionOf'>

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
    revisionOf: readRevision,
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

export function skillPort(book: SkillBook): SkillPort {
  return { list: async root => book.list(root), read: file => promises.readFile(file, 'utf8') }
}
