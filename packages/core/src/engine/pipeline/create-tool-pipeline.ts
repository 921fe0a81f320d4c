// The tool pipeline of an agent written in TypeScript (S, L): the agent names a tool and an input, the pipeline decides, runs and reports.
import { randomUUID } from 'node:crypto'
import { findEvent } from '../../event/table.ts'
import { type Caller, fillCaller } from '../make-event.ts'
import { afterTool, type BeforeTool, type BeforeToolOptions, beforeTool, type EndedTool } from './around-tool.ts'
import type { Gate } from './gate.ts'
import { createLifecycle, type Lifecycle, type Passage } from './lifecycle.ts'
import type { CallOptions, PipelineParts } from './pipeline-parts.ts'
import { createPolicyGate, type PolicyGateOptions } from './policy-gate.ts'
import { runTool } from './run-tool.ts'
import type { Tool, ToolInput, ToolResult } from './tool.ts'

export interface ToolPipelineOptions extends Caller, PolicyGateOptions, Partial<Pick<PipelineParts, 'approve' | 'onHook' | 'record'>> {
  readonly tools?: Iterable<Tool>
  /** Instead of hooks and policies in this process: somebody else who decides, such as the daemon. */
  readonly gate?: Gate
  /** false: an input that a hook rewrote is not validated again. Default true. */
  readonly revalidate?: boolean
}

export interface ToolPipeline extends Lifecycle {
  /** A tool by its name, or one that a host brings along. */
  runTool(tool: string | Tool, input: ToolInput, options?: CallOptions): Promise<ToolResult>
  /** For hosts that run tools themselves: whether a call may run, and with which input. */
  beforeTool(name: string, input: ToolInput, options?: BeforeToolOptions): Promise<BeforeTool>
  /** And what came of it. */
  afterTool(ended: EndedTool, options?: CallOptions): Promise<Passage & { readonly output: unknown }>
  addTool(tool: Tool): void
  readonly gate: Gate
}

export function createToolPipeline(options: ToolPipelineOptions = {}): ToolPipeline {
  const caller = fillCaller(options)
  const tools = new Map<string, Tool>()
  for (const tool of options.tools ?? []) tools.set(tool.name, tool)
  const builtins = { ...options.record?.ports, ...options.builtins }
  const gate = options.gate ?? createPolicyGate({ ...options, builtins }, caller)
  const prefix = randomUUID().slice(0, 8)
  let calls = 0
  const parts: PipelineParts = {
    tools,
    caller,
    gate: options.record === undefined ? gate : watchAll(gate),
    approve: options.approve ?? null,
    onHook: options.onHook ?? null,
    record: options.record ?? null,
    revalidate: options.revalidate ?? true,
    nextId() {
      calls += 1
      return `call_${prefix}_${calls}`
    },
  }
  return {
    ...createLifecycle(parts),
    gate: parts.gate,
    addTool: tool => void tools.set(tool.name, tool),
    runTool: (tool, input, given) => runTool(parts, tool, input, given),
    beforeTool: (name, input, given) => beforeTool(parts, name, input, given),
    afterTool: (ended, given) => afterTool(parts, ended, given),
  }
}

/** What is recorded is recorded whole, also where no hook looks. */
function watchAll(gate: Gate): Gate {
  return { ...gate, isWatched: event => findEvent(event) !== null }
}
