// Runs the hooks of a simulation: what decides by itself really decides; what would touch the world is noted and skipped.
import { type BuiltinPorts, type HandlerRun, type HookDefinition, none, type RunHandler, runHandler } from '@belay/core'
import type { Judgement, ToolCall } from '@belay/core/policy'

export interface DryRunOptions {
  readonly ports: Required<Pick<BuiltinPorts, 'evaluateCondition'>>
  readonly judgeCall: (call: ToolCall) => Judgement
  readonly isReal: boolean
}

export interface DryRunner {
  readonly runHandler: RunHandler
  /** Hooks that were selected but not run. */
  readonly notRun: ReadonlySet<HookDefinition>
}

export function createDryRunner({ ports, judgeCall, isReal }: DryRunOptions): DryRunner {
  const notRun = new Set<HookDefinition>()
  const dryPorts: BuiltinPorts = {
    evaluateCondition: ports.evaluateCondition,
    judgeEvent: event => judgeCall(callOf(event.fields)).verdict,
    evidence: { capture: async () => ({ id: 'simulated' }) },
    annotator: { annotate: async () => ({ id: 'simulated' }) },
    approvals: { ask: async () => ({ state: 'pending', id: 'simulated', isNew: true }) },
  }
  return {
    notRun,
    runHandler(hook, event, options) {
      if (!isReal && touchesWorld(hook)) {
        notRun.add(hook)
        return NOTHING
      }
      return runHandler(hook, event, { ...options, ports: dryPorts })
    },
  }
}

const NOTHING: HandlerRun = { kind: 'answered', result: { verdict: none() } }

/** final_validation runs the project's own scripts. */
function touchesWorld({ handler }: HookDefinition): boolean {
  return handler.type !== 'builtin' || handler.builtin === 'final_validation'
}

function callOf(fields: Readonly<Record<string, unknown>>): ToolCall {
  const { toolName, toolInput } = fields
  const isRecord = typeof toolInput === 'object' && toolInput !== null
  return { tool: String(toolName), input: isRecord ? Object.fromEntries(Object.entries(toolInput)) : {} }
}
