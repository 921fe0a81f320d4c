// `belay hooks simulate`: one call through the guard that the daemon uses. Nothing outside runs unless --run says so.

import { canonicalEventName, findEvent, type HookEvent, type LlmProvider } from '@belay/core'
import { callFromText, type ToolCall } from '@belay/core/policy'
import { errorText, isObject } from '@belay/core/value'
import { type Config, readConfig } from '../config/config-file.ts'
import { findHome, homePaths } from '../config/home.ts'
import type { GuardSources } from '../guard/load-guard.ts'
import { type Simulation, simulate } from '../guard/simulate.ts'
import { simulatedEvent } from '../guard/simulated-event.ts'
import { createLlmChoice } from '../llm/llm-choice.ts'
import { type CommandIo, type ExitCode, exitCodeOf, fail, printJson, printLine } from '../terminal/io.ts'
import { guardPlace, loadSources } from './policies.ts'
import { printSimulation } from './simulate-report.ts'

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
  const simulation = await simulateHere(sources, makeEvent(options, input, io), options, io)
  if (options.json === true) printJson(io, simulation)
  else printSimulation(io, simulation, options)
  return exitCodeOf(simulation.decision)
}

async function simulateHere(sources: GuardSources, event: HookEvent, options: SimulateOptions, io: CommandIo): Promise<Simulation> {
  const place = guardPlace(io)
  const read = readConfig(homePaths(place.home).config)
  const config = read.ok ? read.config : {}
  const isReal = options.run === true
  return simulate(sources, place, event, { config, skills: options.skill ?? [], isReal, llm: isReal ? modelFor(config, io) : null })
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
