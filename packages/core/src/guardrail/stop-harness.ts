// stop_harness: an agent goes on until it promises that the objective is reached and the verification agrees, at most so many times.
// Invariants: a false promise never ends as done; the count is on disk before the agent hears of it, so that a killed loop goes on where it
// was; near the host's own limit the agent may stop, and whoever supervises it starts the next iteration.
import type { HookContext, InlineAnswer } from '../hook/hook-context.ts'
import { deny } from '../verdict/verdict.ts'
import type { Guardrail } from './guardrail.ts'
import type { GuardrailPorts, HarnessPort, HarnessState } from './guardrail-ports.ts'
import { keepsPromise, lastPromise } from './promise.ts'

export interface StopHarnessConfig {
  readonly objective: string
  readonly promise: string
  readonly maxIterations: number
  /** Commands that must succeed before the promise counts. */
  readonly verify: readonly string[]
  /** How often in a row the host lets a stop be refused. */
  readonly hostCap: number
  readonly continuation: string | null
}

export const stopHarness: Guardrail<StopHarnessConfig> = {
  name: 'stop_harness',
  description: 'keeps an agent at its objective until its promise is true or its iterations are used up',
  events: ['Stop', 'SessionStart', 'UserPromptSubmit'],
  isHarmless: false,
  readConfig(reader) {
    const objective = reader.text('objective')
    const promise = reader.text('promise')
    if (objective === null) reader.complain('objective', 'is missing: say what is to be reached')
    if (promise === null) reader.complain('promise', 'is missing: the words the agent says when it is done')
    return {
      objective: objective ?? '',
      promise: promise ?? '',
      maxIterations: reader.count('max_iterations', 10),
      verify: reader.texts('verify'),
      hostCap: reader.count('host_cap', 8),
      continuation: reader.text('continuation'),
    }
  },
  createHooks(config, ports) {
    const { harness } = ports
    if (harness === undefined) throw new Error('stop_harness needs a place for its checkpoints (ports.harness)')
    const parts: Parts = { config, ports, harness }
    return [
      { event: 'Stop', run: context => judgeStop(parts, context) },
      { event: 'SessionStart', run: context => resume(parts, context) },
      { event: 'UserPromptSubmit', run: context => begin(parts, context) },
    ]
  },
}

interface Parts {
  readonly config: StopHarnessConfig
  readonly ports: GuardrailPorts
  readonly harness: HarnessPort
}

async function judgeStop(parts: Parts, context: HookContext): Promise<InlineAnswer> {
  const { config, harness } = parts
  const key = harness.keyOf(context)
  const before = openState(await harness.load(key), context)
  if (before.state === 'done') return undefined
  const problems = await findProblems(parts, context)
  if (problems.length === 0) {
    await save(parts, key, { ...before, state: 'done', problems })
    return { message: `objective reached in iteration ${before.iteration} of ${config.maxIterations}` }
  }
  if (before.iteration >= config.maxIterations) {
    await save(parts, key, { ...before, state: 'given_up', problems })
    return { message: `not done: ${config.maxIterations} iterations are used up. ${problems.join('\n')}` }
  }
  const next = { ...before, iteration: before.iteration + 1, problems }
  const prompt = continuationPrompt(config, next)
  if (before.held + 1 < config.hostCap) {
    await save(parts, key, { ...next, state: 'active', held: before.held + 1 })
    return deny(prompt)
  }
  await save(parts, key, { ...next, state: 'handed_over', held: 0 })
  const isTaken = await harness.handOver(key, prompt, context)
  const who = isTaken ? 'the supervisor starts' : 'nobody supervises this agent; start it again for'
  return { message: `not done: the host lets a stop be refused ${config.hostCap} times; ${who} iteration ${next.iteration}` }
}

/** A state that another session left is taken over: its iteration goes on, the host's count begins anew. */
function openState(known: HarnessState | null, { sessionId }: HookContext): HarnessState {
  if (known === null) return { iteration: 1, state: 'active', held: 0, session: sessionId, problems: [], updatedAt: '' }
  return known.session === sessionId ? known : { ...known, held: 0, session: sessionId }
}

async function findProblems({ config, harness }: Parts, context: HookContext): Promise<readonly string[]> {
  const { lastAssistantMessage } = context.source.fields
  const said = typeof lastAssistantMessage === 'string' ? lastAssistantMessage : ((await harness.lastMessage?.(context)) ?? '')
  if (!keepsPromise(said, config.promise)) {
    const other = lastPromise(said)
    return [other === null ? 'You have not promised that it is done.' : `You promised "${other.slice(0, 200)}", which is not the promise.`]
  }
  return harness.verify(config.verify, context)
}

function continuationPrompt(config: StopHarnessConfig, { iteration, problems }: HarnessState): string {
  const lines = [
    `Iteration ${iteration} of ${config.maxIterations}.`,
    `Objective: ${config.objective}`,
    `Not there yet: ${problems.join('\n')}`,
    config.continuation ?? 'Look at what is left, do the next piece of it, and check it.',
    `Only when all of it is true, end your message with <promise>${config.promise}</promise>`,
  ]
  return lines.join('\n')
}

async function save({ harness, ports }: Parts, key: string, state: HarnessState): Promise<void> {
  await harness.save(key, { ...state, updatedAt: new Date(ports.now()).toISOString() })
}

/** A session that begins in the middle of a loop is told where it stands. */
async function resume({ config, harness }: Parts, context: HookContext): Promise<InlineAnswer> {
  const state = await harness.load(harness.keyOf(context))
  if (state === null || state.state === 'done' || state.state === 'given_up') return undefined
  return { context: continuationPrompt(config, state) }
}

/** A new prompt after the end begins a new loop. */
async function begin(parts: Parts, context: HookContext): Promise<InlineAnswer> {
  const { config, harness } = parts
  const key = harness.keyOf(context)
  const state = await harness.load(key)
  if (state !== null && (state.state === 'active' || state.state === 'handed_over')) return undefined
  await save(parts, key, openState(null, context))
  return { context: `Objective: ${config.objective}\nWhen all of it is true, end your message with <promise>${config.promise}</promise>` }
}
