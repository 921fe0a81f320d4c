// Settings of an agent that switch hooks off, in any of its files that hold here: the agent then runs every tool and says nothing. And
// variables that it gives the shell of our hook line.
import { existsSync, readFileSync } from 'node:fs'
import type { AgentId } from '@belay/core/adapter'
import { parse as parseJson } from 'jsonc-parser'
import { parse as parseToml } from 'smol-toml'
import { HOST_AGENTS } from '../agent/agents.ts'
import type { Switch } from '../agent/host-agent.ts'
import type { InstallPlace } from '../agent/target.ts'
import type { Finding } from './finding.ts'

export function checkSwitches(agent: AgentId, place: Omit<InstallPlace, 'shim' | 'scope'>): readonly Finding[] {
  const files = HOST_AGENTS[agent].switches?.files(place) ?? []
  return [...new Set(files)].filter(existsSync).flatMap(file => checkSwitchFile(agent, file))
}

/** The same for one file that the agent reads. */
export function checkSwitchFile(agent: AgentId, file: string): readonly Finding[] {
  const known = HOST_AGENTS[agent].switches
  if (known === null) return []
  const settings = readSettings(file)
  const off = known.switches.filter(each => isOff(each, memberAt(settings, each.path)))
  return [...off.map(({ path }) => switchedOff(agent, file, path.join('.'))), ...checkVariables(agent, file, settings)]
}

function switchedOff(agent: AgentId, file: string, setting: string): Finding {
  const message = `${file} switches our hooks off (${setting}): nothing is guarded`
  return { agent, check: 'switch', state: 'fail', message, remedy: `take ${setting} out of ${file}` }
}

function isOff({ off }: Switch, value: unknown): boolean {
  if (off === 'set') return value !== undefined && value !== null && value !== ''
  if (off !== 'listed') return value === off
  return Array.isArray(value) && value.some(name => typeof name === 'string' && name.includes('belay'))
}

/** These reach the shell of our hook line before anything of ours runs: what they load or switch off there cannot be held. */
const BEFORE_US =
  /^(?:LD_|DYLD_|BASH_FUNC_)|^(?:GCONV_PATH|GLIBC_TUNABLES|PATH|SHELL|BASH_ENV|ENV|SHELLOPTS|BASHOPTS|BASH_XTRACEFD|PS4|IFS)$/

/** Of these such a file may be the first to set one; PATH and SHELL are set already, and ENV is a name that many projects use. */
const LOADS = /^(?:LD_|DYLD_|BASH_FUNC_)|^(?:GCONV_PATH|GLIBC_TUNABLES|BASH_ENV|SHELLOPTS|BASHOPTS|BASH_XTRACEFD)$/

function checkVariables(agent: AgentId, file: string, settings: unknown): readonly Finding[] {
  const variables = memberAt(settings, ['env'])
  const reaches = file.endsWith('.env') ? LOADS : BEFORE_US
  const names = typeof variables === 'object' && variables !== null ? Object.keys(variables).filter(name => reaches.test(name)) : []
  if (names.length === 0) return []
  const message = `${file} sets ${names.join(', ')} for the shell that starts our hooks: it can run anything before the guard, or keep it from running`
  return [{ agent, check: 'variables', state: 'fail', message, remedy: `take ${names.join(', ')} out of "env" in ${file}` }]
}

/** What cannot be read is reported where the hooks of the file are looked for. */
function readSettings(file: string): unknown {
  try {
    const text = readFileSync(file, 'utf8')
    if (file.endsWith('.env')) return { env: readVariables(text) }
    return file.endsWith('.toml') ? parseToml(text) : parseJson(text.replace(/^\uFEFF/, ''))
  } catch {
    return null
  }
}

/** `NAME=value`, `export NAME=value`, a line each. */
function readVariables(text: string): Readonly<Record<string, string>> {
  const lines = [...text.matchAll(/^\s*(?:export\s+)?([\w%]+)\s*[=:]\s*(.*?)\s*$/gm)]
  return Object.fromEntries(lines.map(([, name, value]) => [name, value]))
}

function memberAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) => (typeof inner === 'object' && inner !== null ? (inner as Readonly<Record<string, unknown>>)[name] : undefined),
    value,
  )
}
