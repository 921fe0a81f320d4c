// `belay hooks simulate`: one call through the real engine and the real permissions. Nothing outside runs unless --run says so.
import { canonicalEventName, createEngine, createRegistry, findEvent, guardCall, type HookEvent } from '@belay/core'
import {
  activePolicyHooks,
  callFromText,
  compileRules,
  createHookPorts,
  effectivePermissions,
  type GenesisPolicy,
  type JudgeContext,
  judge,
} from '@belay/core/policy'
import { judgeContext } from '../config/genesis-context.ts'
import { findHome } from '../config/home.ts'
import { type CommandIo, type ExitCode, exitCodeOf, fail, printJson } from './io.ts'
import { asTrusted, loadForCommand, printBroken } from './policies.ts'
import { printSimulation, type Simulation, simulationOf } from './simulate-report.ts'
import { createDryRunner } from './simulate-runner.ts'

export interface SimulateOptions {
  readonly tool: string
  readonly actor: string
  readonly args?: string
  readonly input?: string
  readonly event: string
  readonly agent: string
  readonly run?: boolean
  readonly json?: boolean
}

export async function runSimulate(options: SimulateOptions, io: CommandIo): Promise<ExitCode> {
  const input = readInput(options)
  if (typeof input === 'string') return fail(io, input, `write --args TEXT, or --input '{"command":"git status"}'`)
  if (findEvent(options.event) === null) return fail(io, `there is no event \`${options.event}\``, 'use PreToolUse, PostToolUse, Stop, ...')
  const loaded = loadForCommand(io)
  printBroken(io, loaded)
  const policies = asTrusted(io, loaded.policies)
  const context = judgeContext({ root: loaded.root, cwd: io.cwd, belayHome: findHome(io.env), env: io.env, hasPolicy: policies.length > 0 })
  const event = makeEvent(options, input, io)
  const simulation =
    loaded.locked === null ? await simulate(policies, event, context, options) : lockedBy(loaded.locked.place.file, loaded.locked)
  if (options.json === true) printJson(io, simulation)
  else printSimulation(io, simulation, options)
  return exitCodeOf(simulation.decision)
}

async function simulate(
  policies: readonly GenesisPolicy[],
  event: HookEvent,
  context: JudgeContext,
  options: SimulateOptions,
): Promise<Simulation> {
  const compiled = compileRules(effectivePermissions(policies, event.actor))
  const ports = createHookPorts({ contextOf: () => context })
  const registry = createRegistry(ports)
  registry.addAll(activePolicyHooks(policies))
  const dryRun = createDryRunner({ ports, judgeCall: call => judge(call, compiled, context), isReal: options.run === true })
  const engine = createEngine({ registry, runHandler: dryRun.runHandler })
  const guarded = await guardCall(engine.fire, event, call => judge(call, compiled, context))
  return simulationOf(registry.list(), event.name, guarded, dryRun.notRun)
}

function lockedBy(
  file: string,
  { message, place }: { readonly message: string; readonly place: { readonly line: number; readonly column: number } },
): Simulation {
  const reason = `the policy ${file}:${place.line}:${place.column} is broken and never was good: ${message}`
  return { decision: 'deny', reason, rule: null, hooks: [], permissions: null }
}

/** The tool input, or what is wrong with it. */
function readInput({ tool, args, input }: SimulateOptions): Readonly<Record<string, unknown>> | string {
  if (args !== undefined) return callFromText(tool, args).input
  if (input === undefined) return 'neither --args nor --input was given'
  try {
    const value: unknown = JSON.parse(input)
    return isRecord(value) ? value : '--input must be a JSON object'
  } catch (error) {
    return `--input is not JSON: ${error instanceof Error ? error.message : String(error)}`
  }
}

function makeEvent({ tool, actor, event, agent }: SimulateOptions, input: Readonly<Record<string, unknown>>, io: CommandIo): HookEvent {
  return {
    name: canonicalEventName(event),
    sessionId: 'simulated',
    cwd: io.cwd,
    transcriptPath: null,
    permissionMode: null,
    actor,
    agent,
    commitment: null,
    fields: { toolName: tool, toolInput: input, toolUseId: 'simulated' },
    env: {},
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
