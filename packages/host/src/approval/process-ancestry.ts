// Which processes a process descends from, and whether one of them is an agent: agents must not decide in a person's name.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

export interface AncestorProcess {
  readonly pid: number
  readonly name: string
  readonly command: readonly string[]
}

export interface AgentAncestor {
  /** `claude-code`, `codex` ... */
  readonly agent: string
  readonly process: AncestorProcess
}

const MOST_GENERATIONS = 64

/** Nearest first, the process itself left out. What cannot be read ends the list. */
export function listAncestors(pid: number, platform: string = process.platform): readonly AncestorProcess[] {
  const found: AncestorProcess[] = []
  let parent = parentOf(pid, platform)
  while (parent !== null && parent > 0 && found.length < MOST_GENERATIONS) {
    const seen = describe(parent, platform)
    if (seen === null) break
    found.push(seen)
    parent = parentOf(parent, platform)
  }
  return found
}

/** By program name, or by the package its script belongs to. */
const AGENT_PROGRAMS: readonly (readonly [agent: string, program: RegExp])[] = [
  ['claude-code', /^claude$|@anthropic-ai\/claude-(?:code|agent-sdk)\b/],
  ['codex', /^codex$|@openai\/codex\b/],
  ['gemini', /^gemini$|@google\/gemini-cli\b/],
  ['copilot', /^copilot$|@github\/copilot\b/],
  ['qwen', /^qwen$|@qwen-code\/qwen-code\b/],
  ['opencode', /^opencode$|\bopencode-ai\b/],
  ['pi', /^pi$|\/pi-coding-agent\b/],
  ['droid', /^droid$/],
  ['continue', /^cn$|@continuedev\/cli\b/],
  ['cursor', /^cursor-agent$/],
  ['cline', /^cline$/],
  ['goose', /^goosed?$/],
  ['kiro', /^kiro(?:-cli)?$/],
  ['windsurf', /^windsurf$/],
]

/** Their first word is the program that people mean. */
const INTERPRETERS = /^(?:node|bun|deno|python[\d.]*|ruby|sh|bash|zsh|dash|env)$/

export function findAgent(ancestors: readonly AncestorProcess[]): AgentAncestor | null {
  for (const process of ancestors) {
    const [program = '', ...words] = process.command
    const script = INTERPRETERS.test(baseName(program)) ? (words.find(word => !word.startsWith('-')) ?? '') : ''
    const names = [process.name, baseName(program), program, baseName(script).replace(/\.[cm]?js$/, ''), script]
    const agent = AGENT_PROGRAMS.find(([, pattern]) => names.some(name => pattern.test(name)))?.[0]
    if (agent !== undefined) return { agent, process }
  }
  return null
}

/** Variables of the agent's own process, which nothing it runs can change. null where the system does not show them. */
export function readEnvironment(pid: number): Readonly<Record<string, string>> | null {
  try {
    const pairs = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
    return Object.fromEntries(
      pairs.filter(pair => pair.includes('=')).map(pair => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
    )
  } catch {
    return null
  }
}

function parentOf(pid: number, platform: string): number | null {
  if (platform !== 'linux') return numberOf(ask(pid, 'ppid='))
  const stat = readProc(pid, 'stat')
  // The name in brackets may hold anything, brackets too.
  return stat === null
    ? null
    : numberOf(
        stat
          .slice(stat.lastIndexOf(')') + 1)
          .trim()
          .split(' ')[1] ?? null,
      )
}

function describe(pid: number, platform: string): AncestorProcess | null {
  if (platform !== 'linux') {
    const name = ask(pid, 'comm=')
    return name === null ? null : { pid, name: baseName(name), command: (ask(pid, 'args=') ?? name).split(/\s+/) }
  }
  const name = readProc(pid, 'comm')
  const command = readProc(pid, 'cmdline')
  return name === null || command === null ? null : { pid, name: name.trim(), command: command.split('\0').filter(word => word !== '') }
}

function readProc(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return null
  }
}

function ask(pid: number, column: string): string | null {
  try {
    const text = execFileSync('ps', ['-o', column, '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 2000,
    }).trim()
    return text === '' ? null : text
  } catch {
    return null
  }
}

function numberOf(text: string | null): number | null {
  const value = text === null ? Number.NaN : Number(text)
  return Number.isInteger(value) ? value : null
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
