// `belay hooks simulate`: one call through the guard that the daemon uses. Nothing outside runs unless --run says so.
import { homedir } from 'node:os'
import { canonicalEventName, findEvent, type HookEvent, type LlmProvider } from '@belay/core'
import { createFileView } from '@belay/core/match'
import { callFromText, type ToolCall } from '@belay/core/policy'
import { readConfig } from '../config/config-file.ts'
import type { LoadedPolicies } from '../config/genesis.ts'
import { findHome, homePaths } from '../config/home.ts'
import { activeFileHooks } from '../config/project-hooks.ts'
import { createProjectGuard } from '../guard/project-guard.ts'
import { createDryWorld } from '../guardrail/guardrail-world.ts'
import { createLlmChoice } from '../llm/llm-choice.ts'
import { type CommandIo, type ExitCode, exitCodeOf, fail, printJson, printLine } from './io.ts'
import { asTrusted, loadForCommand, printBroken } from './policies.ts'
import { dryRun } from './simulate-dry.ts'
import { printSimulation, type Simulation, simulationOf } from './simulate-report.ts'

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
  const simulation = await simulate({ ...loaded, policies: asTrusted(io, loaded.policies) }, makeEvent(options, input, io), options, io)
  if (options.json === true) printJson(io, simulation)
  else printSimulation(io, simulation, options)
  return exitCodeOf(simulation.decision)
}

async function simulate(loaded: LoadedPolicies, event: HookEvent, options: SimulateOptions, io: CommandIo): Promise<Simulation> {
  const belayHome = findHome(io.env)
  const others = activeFileHooks({ root: loaded.root, home: belayHome, policies: loaded.policies })
  const dry = dryRun(loaded.policies, others, options.run === true)
  const guard = createProjectGuard({
    loaded: { ...loaded, policies: dry.policies },
    hooks: dry.hooks,
    belayHome,
    userHome: io.env.HOME ?? homedir(),
    files: createFileView(),
    ports: dry.ports,
    guardrails: createDryWorld({ belayHome, userHome: io.env.HOME ?? homedir() }),
    handler: { env: io.env, ...(options.run === true ? modelFor(belayHome, io) : {}) },
  })
  const guarded = await guard.guard(event)
  // A hook that denies makes judging needless; a person wants to see what the rules say all the same.
  const judgement = event.name === 'PreToolUse' ? (guarded.judgement ?? guard.judge(callOf(guarded.fired.event), event)) : guarded.judgement
  return simulationOf(guard.engine.registry.list(), event.name, { ...guarded, judgement })
}

/** The model of config.toml, for hooks that are really run. */
function modelFor(home: string, io: CommandIo): { readonly llm?: LlmProvider } {
  const read = readConfig(homePaths(home).config)
  const choose = createLlmChoice({ home, env: io.env, onProblem: message => printLine(io.stderr, `belay: ${message}`) })
  const llm = read.ok ? choose(read.config) : null
  return llm === null ? {} : { llm }
}

function callOf({ fields }: HookEvent): ToolCall {
  return { tool: String(fields.toolName), input: isRecord(fields.toolInput) ? fields.toolInput : {} }
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

function makeEvent(
  { tool, actor, event, agent, args }: SimulateOptions,
  input: Readonly<Record<string, unknown>>,
  io: CommandIo,
): HookEvent {
  return {
    name: canonicalEventName(event),
    sessionId: 'simulated',
    cwd: io.cwd,
    transcriptPath: null,
    permissionMode: null,
    actor,
    agent,
    commitment: null,
    fields: { toolName: tool, toolInput: input, toolUseId: 'simulated', ...(args === undefined ? {} : { prompt: args }) },
    env: {},
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
