// Whether an entry of ours in an agent's configuration still guards: a matcher that leaves tools out, a time limit that ends before we answer,
// or a line that was changed lets calls pass that nobody judges.

import type { Agent } from '@belay/core/adapter'
import { isObject } from '@belay/core/value'
import { HOST_AGENTS } from '../agent/agents.ts'
import { earlierTimeoutMs, hookCommand, isOurCommand, ourClient, ourProgram } from '../agent/hook-command.ts'
import { inTimeUnit } from '../agent/hook-file.ts'
import type { HookEntry } from '../agent/target.ts'
import type { FoundHook } from './hook-edit.ts'

export interface WeakEntry {
  /** earlier: as an earlier version wrote it; changed: by somebody since. */
  readonly kind: 'earlier' | 'changed'
  readonly why: string
}

type Json = Readonly<Record<string, unknown>>

/** Says nothing about what runs, or when. */
const HARMLESS = new Set(['name', 'description', 'statusMessage', 'comment', 'show_output'])

export function findWeakness(agent: Agent, expected: HookEntry, found: FoundHook): readonly WeakEntry[] {
  const changed = (why: string): WeakEntry => ({ kind: 'changed', why })
  const { everyTool, runsInOrder } = HOST_AGENTS[agent.id]
  const [group, handler] = partsOf(found.value)
  const [wanted, wantedHandler] = partsOf(expected.value)
  return [
    ...commandWeakness(agent, expected, found),
    ...(everyTool.includes(group.matcher) ? [] : [changed(`its matcher is ${show(group.matcher)}: it does not see every call`)]),
    ...differences(asThenWritten(agent, wantedHandler, found), handler).map(changed),
    ...(group === handler ? [] : differences(wanted, group).map(changed)),
    ...(runsInOrder && found.index > 0 ? [changed('it is not the first: a hook before it may end the call or change it')] : []),
  ]
}

/** Lines as version 0.1 wrote them: they end in `exec`, and the client's failure is the agent's to judge. */
const EARLIER = /^(?:test -f .* \|\| \{ echo .* >&2; exit 2; \}; )?exec '.*' --agent \S+ --event \S+ --deadline-ms (\d+)$/

/** An earlier version gave some events less time, and said so in the line: the limit beside such a line is the one of its time. */
function asThenWritten(agent: Agent, wanted: Json, { command }: FoundHook): Json {
  const then = earlierTimeoutMs(Number(EARLIER.exec(command)?.[1]))
  if (then === null) return wanted
  const limit = inTimeUnit(agent, then)
  return Object.fromEntries(Object.entries(wanted).map(([name, value]) => [name, /^timeout/i.test(name) ? limit : value]))
}

function commandWeakness(agent: Agent, { event }: HookEntry, { command }: FoundHook): readonly WeakEntry[] {
  const client = ourClient(command)
  if (client !== null && command === hookCommand(client, agent, event, ourProgram(command) ?? undefined)) return []
  if (EARLIER.test(command)) return [{ kind: 'earlier', why: 'its line is of an earlier version' }]
  return [{ kind: 'changed', why: `its line was changed: ${show(command)}` }]
}

/** The group and the handler in it that runs our line; an entry without handlers is both. */
function partsOf(value: unknown): readonly [Json, Json] {
  const group = isObject(value) ? value : {}
  const handlers = Array.isArray(group.hooks) ? group.hooks.filter(isObject) : null
  if (handlers === null) return [group, group]
  return [group, handlers.find(({ command }) => typeof command === 'string' && isOurCommand(command)) ?? {}]
}

function differences(wanted: Json, found: Json): readonly string[] {
  const names = [...new Set([...Object.keys(wanted), ...Object.keys(found)])]
  return names.flatMap(name => {
    const [then, now] = [wanted[name], found[name]]
    if (name === 'hooks' || name === 'matcher' || name === 'command' || name === 'bash' || HARMLESS.has(name) || then === now) return []
    // More time does no harm.
    if (typeof then === 'number' && typeof now === 'number' && now > then) return []
    if (now === undefined) return [`it lacks ${name}: ${show(then)}`]
    if (then === undefined)
      return now === false && name === 'disabled' ? [] : [`it has ${name}: ${show(now)}, which \`belay install\` does not write`]
    return [
      /^timeout/i.test(name)
        ? `its ${name} is ${show(now)}, and an agent that has waited so long runs the tool (installed: ${show(then)})`
        : `its ${name} is ${show(now)} (installed: ${show(then)})`,
    ]
  })
}

function show(value: unknown): string {
  const text = typeof value === 'string' ? `\`${value}\`` : JSON.stringify(value)
  return text.length > 120 ? `${text.slice(0, 117)}...` : text
}
