// `belay hooks simulate`: one call through the guard that the daemon uses. Nothing outside runs unless --run says so.

import { canonicalEventName, findEvent, type HookEvent, type LlmProvider } from '@belay/core'
import { callFromText, callOfEvent, type ToolCall } from '@belay/core/policy'
import { errorText, isObject } from '@belay/core/value'
import type { ActiveSkills } from '../config/active-skills.ts'
import { type Config, readConfig } from '../config/config-file.ts'
import { findHome, homePaths } from '../config/home.ts'
import { dryRun } from '../guard/dry-run.ts'
import { buildGuard, type GuardSources, userHomeOf } from '../guard/load-guard.ts'
import { createDryWorld } from '../guardrail/guardrail-world.ts'
import { createLlmChoice } from '../llm/llm-choice.ts'
import { type CommandIo, type ExitCode, exitCodeOf, fail, printJson, printLine } from '../terminal/io.ts'
import { guardPlace, loadSources } from './policies.ts'
import { printSimulation, type Simulation, simulationOf } from './simulate-report.ts'
import { simulatedEvent } from './simulated-event.ts'

export interface SimulateOptions {
  readonly tool: string
  readonly actor: string
  readonly args?: string
  readonly input?: string
  readonly event: string
  readonly agent: string
  readonly run?: boolean
  /** A draft: as if a person had trusted every file. */
  readonly asTrusted?: boolean
  /** Skills that are in use. */
  readonly skill?: readonly string[]
  readonly json?: boolean
}

export async function runSimulate(options: SimulateOptions, io: CommandIo): Promise<ExitCode> {
  const input = readInput(options)
  if (typeof input === 'string') return fail(io, input, `write --args TEXT, or --input '{"command":"git status"}'`)
  if (findEvent(options.event) === null) return fail(io, `there is no event \`${options.event}\``, 'use PreToolUse, PostToolUse, Stop, ...')
  const sources = loadSources(io, { asTrusted: options.asTrusted === true })
  const simulation = await simulate(sources, makeEvent(options, input, io), options, io)
  if (options.json === true) printJson(io, simulation)
  else printSimulation(io, simulation, options)
  return exitCodeOf(simulation.decision)
}

async function simulate(sources: GuardSources, event: HookEvent, options: SimulateOptions, io: CommandIo): Promise<Simulation> {
  const place = guardPlace(io)
  const { home: belayHome } = place
  const dry = dryRun(sources, options.run === true)
  const read = readConfig(homePaths(belayHome).config)
  const config = read.ok ? read.config : {}
  const guard = buildGuard(dry.sources, place, {
    config,
    ports: dry.ports,
    skills: simulatedSkills(options),
    guardrails: createDryWorld({ belayHome, userHome: userHomeOf(io.env) }),
    llm: options.run === true ? modelFor(config, io) : null,
  })
  const guarded = await guard.guard(event)
  // A hook that denies makes judging needless; a person wants to see what the rules say all the same.
  const call = event.name === 'PreToolUse' ? callOfEvent(guarded.fired.event) : null
  const judgement = guarded.judgement ?? (call === null ? null : guard.judge(call, event))
  return simulationOf(guard.engine.registry.list(), event.name, { ...guarded, judgement })
}

/** The model of config.toml, for hooks that are really run. */
function modelFor(config: Config, io: CommandIo): LlmProvider | null {
  const choose = createLlmChoice({ home: findHome(io.env), env: io.env, onProblem: message => printLine(io.stderr, `belay: ${message}`) })
  return choose(config)
}

/** The tool input, or what is wrong with it. */
function readInput({ tool, args, input }: SimulateOptions): Readonly<Record<string, unknown>> | string {
  if (args !== undefined) return callFromText(tool, args).input
  if (input === undefined) return 'neither --args nor --input was given'
  try {
    const value: unknown = JSON.parse(input)
    return isObject(value) ? value : '--input must be a JSON object'
  } catch (error) {
    return `--input is not JSON: ${errorText(error)}`
  }
}

function makeEvent({ tool, actor, event, agent, args }: SimulateOptions, input: ToolCall['input'], { cwd }: CommandIo): HookEvent {
  const fields = args === undefined ? {} : { prompt: args }
  return simulatedEvent({ call: { tool, input }, actor, agent, cwd, event: canonicalEventName(event), fields })
}

/** Skills count as in use where they are named; nothing is noted. */
function simulatedSkills({ skill = [] }: SimulateOptions): ActiveSkills {
  return { of: () => skill, note: () => undefined, set: () => undefined }
}
