// What agents and scripts call all the time, in a few fixed forms, goes past the option parser. Any other form is left to it: null.
import type { HookOptions } from '../shim/node-shim.ts'
import type { processIo } from '../terminal/io.ts'

type MakeIo = typeof processIo

export async function runShortcut([group, ...words]: readonly string[], makeIo: MakeIo): Promise<number | null> {
  if (group === 'hook') return runHook(words, makeIo)
  if (group === 'up') return runUp(words, makeIo)
  if (words.some(word => word.startsWith('-'))) return null
  if (group === 'hooks') return runTestPattern(words, makeIo)
  const [query] = words
  if (group === 'statusline' && words.length === 0) return runStatusline(makeIo)
  if (group === 'files' && words.length <= 1) return (await import('./files.ts')).runFiles(query === undefined ? {} : { query }, makeIo())
  return null
}

/** `up`, `--detach`, `--port N`: as hooks and `up --detach` start it. */
async function runUp(words: readonly string[], makeIo: MakeIo): Promise<number | null> {
  const [isDetached, ...rest] = words[0] === '--detach' ? [true, ...words.slice(1)] : [false, ...words]
  const [name, port, ...more] = rest
  if (name !== undefined && (name !== '--port' || !isPort(port) || more.length > 0)) return null
  const options = { ...(isDetached ? { detach: true } : {}), ...(port === undefined ? {} : { port: Number(port) }) }
  return (await import('./up.ts')).runUp(options, makeIo())
}

function isPort(text: string | undefined): boolean {
  return text !== undefined && /^\d+$/.test(text) && Number(text) <= 65_535
}

/** `--agent A --event E`, then `--deadline-ms N`, `--event-id ID`, `--proof N` and at the end `--direct`: as `belay install` and the clients write it. */
async function runHook([agentName, agent, eventName, event, ...more]: readonly string[], makeIo: MakeIo): Promise<number | null> {
  if (agentName !== '--agent' || agent === undefined || eventName !== '--event' || event === undefined) return null
  const how = readHow(more)
  if (how === null) return null
  const [{ runHookCommand }, { readInput }] = await Promise.all([import('./hook.ts'), import('./input.ts')])
  return runHookCommand({ agent, event, ...how }, makeIo(), readInput())
}

function readHow([name, value, ...more]: readonly string[]): Omit<HookOptions, 'agent' | 'event'> | null {
  if (name === undefined) return { deadlineMs: null, direct: false }
  if (name === '--direct' && value === undefined) return { deadlineMs: null, direct: true }
  const rest = value === undefined ? null : readHow(more)
  if (rest === null) return null
  if (name === '--event-id') return { ...rest, eventId: value }
  const number = /^\d{1,9}$/.test(value ?? '') ? Number(value) : null
  if (name === '--deadline-ms' && number !== null) return { ...rest, deadlineMs: number }
  return name === '--proof' && number !== null && number > 0 && number <= 120 ? { ...rest, proof: number } : null
}

async function runStatusline(makeIo: MakeIo): Promise<number> {
  const [statusline, { readInput }] = await Promise.all([import('./statusline.ts'), import('./input.ts')])
  return statusline.runStatusline('claude-code', makeIo(), readInput())
}

async function runTestPattern([command, pattern, tool, argument, ...more]: readonly string[], makeIo: MakeIo): Promise<number | null> {
  if (command !== 'test-pattern' || pattern === undefined || tool === undefined || argument === undefined || more.length > 0) return null
  return (await import('./hooks-test-pattern.ts')).runTestPattern({ pattern, tool, argument }, makeIo())
}
