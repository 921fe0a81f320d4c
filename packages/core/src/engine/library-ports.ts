// What hooks in code need of policy: `Tool(spec)` matchers are judged like permission patterns, conditions are CEL.
import { homedir } from 'node:os'
import { join } from 'node:path'
import { createFileView } from '../match/path/node-file-view.ts'
import { compileCallPattern } from '../policy/call-matches.ts'
import { createConditionPort } from '../policy/condition/condition-port.ts'
import type { JudgeContext } from '../policy/judgement.ts'
import type { HookPorts, HookSubject } from '../registry/registered-hook.ts'

/** `root`: the project that relative patterns are about. */
export function createLibraryPorts(root: string): HookPorts {
  const home = homedir()
  const context = { root, home, files: createFileView(), belayHome: join(home, '.belay'), selfProtection: false }
  return {
    compileCall(pattern) {
      const compiled = compileCallPattern(pattern)
      if (!compiled.ok) return { ok: false, message: compiled.problem.message }
      return {
        ok: true,
        test: subject => compiled.match(callOf(subject), { ...context, cwd: subject.event.cwd } satisfies JudgeContext) !== 'no',
      }
    },
    evaluateCondition: createConditionPort(),
  }
}

function callOf({ value, event }: HookSubject): { tool: string; input: Readonly<Record<string, unknown>> } {
  const { toolInput } = event.fields
  return { tool: value ?? '', input: typeof toolInput === 'object' && toolInput !== null ? (toolInput as Record<string, unknown>) : {} }
}
