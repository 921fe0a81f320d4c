// Which processes a process descends from, and whether one of them is an agent: agents must not decide in a person's name.
import type { AgentId } from '@belay/core/adapter'
import { HOST_AGENTS } from '../agent/agents.ts'
import { baseName, type ProcessFacts, readProcess } from './process-facts.ts'

export type AncestorProcess = Pick<ProcessFacts, 'pid' | 'name' | 'command'>

export interface AgentAncestor {
  /** `claude-code`, `codex` ... */
  readonly agent: AgentId
  readonly process: AncestorProcess
}

const MAX_GENERATIONS = 64

/** Nearest first, the process itself left out. What cannot be read ends the list. */
export function listAncestors(pid: number, platform: string = process.platform): readonly ProcessFacts[] {
  return listChain(pid, one => readProcess(one, platform)).slice(1)
}

/** The process itself, then its ancestors. */
export function listChain(pid: number, read: (pid: number) => ProcessFacts | null): readonly ProcessFacts[] {
  const found: ProcessFacts[] = []
  let seen = read(pid)
  while (seen !== null && found.length <= MAX_GENERATIONS) {
    found.push(seen)
    seen = seen.parent > 0 ? read(seen.parent) : null
  }
  return found
}

/** By program name, or by the package its script belongs to. */
const AGENTS = Object.entries(HOST_AGENTS).flatMap(([agent, { process }]) =>
  process === null ? [] : [[agent as AgentId, process] as const],
)

/** One look tells for most programs that they are no agent: whoever marks agents looks at every process of the machine. */
const MAY_BE_AGENT = new RegExp(AGENTS.map(([, process]) => process.source).join('|'), 'i')

/** Their first word is the program that people mean. */
const INTERPRETERS = /^(?:node|bun|deno|python[\d.]*|ruby|sh|bash|zsh|dash|env)$/

export function findAgent(ancestors: readonly AncestorProcess[]): AgentAncestor | null {
  for (const process of ancestors) {
    const [program = '', ...words] = process.command
    const script = INTERPRETERS.test(baseName(program)) ? (words.find(word => !word.startsWith('-')) ?? '') : ''
    const names = [process.name, baseName(program), program, baseName(script).replace(/\.[cm]?js$/, ''), script]
    if (!names.some(name => MAY_BE_AGENT.test(name))) continue
    const agent = AGENTS.find(([, process]) => names.some(name => process.test(name)))?.[0]
    if (agent !== undefined) return { agent, process }
  }
  return null
}
