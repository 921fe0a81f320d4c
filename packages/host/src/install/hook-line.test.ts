// Every agent's installed line against every way in which its client can be lost or broken, in the shells that agents start. What counts as a
// refusal is what that agent obeys: anything else runs the tool.
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type AgentId, factsOf } from '@belay/core/adapter'
import { createFileView } from '@belay/core/match'
import { compileRules, judge } from '@belay/core/policy'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findTarget, listTargets } from '../agent/agents.ts'
import { isGate } from '../agent/hook-command.ts'
import { buildNative, buildNode, buildPerl } from './build-shim.ts'

const folder = mkdtempSync(join(tmpdir(), "belay line's-"))
const shim = join(folder, 'belay-hook')
const built = join(folder, 'built')
const place = { scope: 'user', env: {}, userHome: folder, projectRoot: folder, shim } as const
const isRoot = process.getuid?.() === 0

afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeEach(() => rmSync(shim, { recursive: true, force: true }))

interface Ended {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** All that start a client of ours by a line; the hooks of the others are programs that we generate. */
const AGENTS = listTargets()
  .map(({ agent }) => agent)
  .filter(id => id !== 'git' && factsOf(id).answer !== 'plugin')
const SHELLS = ['sh', 'bash']

/** As the agent runs it: a line for a shell, or a file. */
function linesOf(agent: AgentId): readonly { readonly event: string; readonly line: string }[] {
  return (findTarget(agent)?.files(place) ?? []).flatMap(file => {
    if (file.kind === 'shared') return file.hooks.entries.map(({ event, value }) => ({ event, line: commandIn(value) }))
    if (agent === 'cline') return [{ event: file.path.split('/').at(-1) ?? '', line: file.text }]
    const { hooks } = JSON.parse(file.text) as { hooks: { trigger: string; action: { command: string } }[] }
    return hooks.map(({ trigger, action }) => ({ event: trigger, line: action.command }))
  })
}

function commandIn(value: unknown): string {
  if (typeof value === 'string') return value.includes('belay-hook') ? value : ''
  return typeof value === 'object' && value !== null ? (Object.values(value).map(commandIn).find(Boolean) ?? '') : ''
}

interface Told {
  readonly agent: AgentId
  readonly event: string
}

/** Of these it is measured, or not known otherwise, that JSON on stdout holds even beside exit code 2. */
const READS_STDOUT = new Set<AgentId>(['gemini', 'qwen', 'droid', 'continue', 'cursor'])

/** By what was measured or documented of each agent: exit code 2 with a text, and nothing on stdout that would be read instead. */
function isRefusal({ agent }: Told, { status, stdout, stderr }: Ended): boolean {
  if (agent === 'cline') return status === 0 && parsed(stdout)?.cancel === true
  if (agent === 'copilot') return status !== 0 && status !== null
  return status === 2 && stderr.trim() !== '' && (!READS_STDOUT.has(agent) || parsed(stdout) === null)
}

/** The agent goes on as it would without us. */
function isSilence({ status, stdout }: Ended): boolean {
  const said = parsed(stdout) ?? {}
  return status === 0 && said.cancel === undefined && said.continue === undefined && !['block', 'deny'].includes(String(said.decision))
}

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const client = (text: string | Uint8Array, mode = 0o755) => writeFileSync(shim, text, { mode })
const script = (text: string) => () => client(`#!/bin/sh\n${text}\n`)
const copyOf = (program: string) => () => copyFileSync(`/bin/${program}`, shim)
const native = () => readFileSync(`${built}-native`)
const cut = (kind: string, part: number) => () => {
  const whole = readFileSync(`${built}-${kind}`)
  client(whole.subarray(0, Math.floor(whole.length * part)))
}

const SIGNALS = ['KILL', 'SEGV', 'BUS', 'XCPU', 'XFSZ', 'ABRT', 'TERM', 'HUP', 'PIPE', 'ILL']
const FAULTS: Readonly<Record<string, () => void>> = {
  'is gone': () => undefined,
  'may not be run': () => client('#!/bin/sh\n', 0o644),
  'is empty': () => client(''),
  'is a folder': () => mkdirSync(shim),
  'is a text': () => client('hello\n'),
  'is a text that a shell runs': () => client(':\n'),
  'is bytes': () => client(Uint8Array.from({ length: 5000 }, (_, at) => (at * 7919) % 256)),
  'has no interpreter': () => client('#!/nonexistent/perl\nexit 0\n'),
  'has an interpreter that is a folder': () => client('#!/tmp\n'),
  'is of another machine': () => {
    const bytes = Uint8Array.from(native())
    bytes[18] = 0xb7
    client(bytes)
  },
  ...Object.fromEntries([0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99].map(part => [`is native and ends at ${part}`, cut('native', part)])),
  ...Object.fromEntries([0.005, 0.1, 0.3, 0.5, 0.7, 0.9].map(part => [`is perl and ends at ${part}`, cut('perl', part)])),
  ...Object.fromEntries([0.03, 0.1, 0.3, 0.5].map(part => [`is for Node and ends at ${part}`, cut('node', part)])),
  ...Object.fromEntries(['true', 'false', 'echo', 'cat', 'sleep'].map(program => [`is ${program}`, copyOf(program)])),
  ...Object.fromEntries([0, 1, 2, 3, 88, 91, 93, 126, 127, 255].map(code => [`ends with ${code}`, script(`exit ${code}`)])),
  ...Object.fromEntries(SIGNALS.map(name => [`is ended by ${name}`, script(`kill -${name} $$; sleep 5`)])),
  'dies in the middle of an answer': script(`printf '{"hookSpecificOutput":{"hookEv'; kill -KILL $$`),
  'ends well in the middle of an answer': script(`printf '{"hookSpecificOutput":{"hookEv'; exit 0`),
  'says nothing in particular and dies': script(`echo '{}'; kill -KILL $$`),
  'allows and fails': script(`echo '{"decision":"allow","permission":"allow"}'; exit 1`),
  'allows and ends without a proof': script(`echo '{"decision":"allow","permission":"allow"}'`),
  'repeats what it is given': script('cat; exit 1'),
}

/** Limits under which a client that is whole cannot work: without memory, descriptors, files that grow. */
const LIMITS: Readonly<Record<string, string>> = {
  'no descriptor is left': 'ulimit -n 4',
  'no file may grow': 'ulimit -f 0',
  'there is no memory for its interpreter': 'ulimit -v 9000',
}

beforeAll(() => {
  const options = {
    home: folder,
    socket: join(folder, 'no.sock'),
    native: fileURLToPath(new URL('../../native/', import.meta.url)),
    // Stands in for Node: a fallback that refuses every tool.
    node: join(folder, 'refusing-node'),
    script: join(folder, 'script'),
    env: { PATH: process.env.PATH },
  }
  const refuse = "echo 'Tool denied: no' >&2; exit 92"
  writeFileSync(options.node, `#!/bin/sh\ncase "$*" in *[sS]top* | *AfterAgent* | *cascade* | *Complete*) exit 90 ;; esac\n${refuse}\n`, {
    mode: 0o755,
  })
  expect(buildNative({ ...options, path: `${built}-native` })).toBeNull()
  expect(buildPerl({ ...options, path: `${built}-perl` })).toBeNull()
  // Cut at one place, the client for Node waits as long as its watch sleeps. It looks for programs where it was built to look.
  const programs = join(folder, 'programs')
  mkdirSync(programs)
  writeFileSync(join(programs, 'sleep'), '#!/bin/sh\n', { mode: 0o755 })
  expect(buildNode({ ...options, env: { PATH: `${programs}:${process.env.PATH}` }, path: `${built}-node` })).toBeNull()
})

const INPUT = '{"a":1}'

interface Surroundings {
  readonly limit?: string
  readonly uid?: number
  /** bash under the name of sh, told to trace. */
  readonly isTraced?: boolean
}

const TRACE = { SHELLOPTS: 'xtrace', BASH_XTRACEFD: '1', PS4: '{}' }

function run(shell: string, line: string, { limit = '', uid, isTraced = false }: Surroundings = {}): Ended {
  const begin = limit === '' ? [shell, '-c'] : ['bash', '-c', `${limit}; exec "$0" -c "$1"`, shell]
  const { status, stdout, stderr } = spawnSync(begin[0] ?? 'sh', [...begin.slice(1), line], {
    input: INPUT,
    encoding: 'utf8',
    cwd: '/',
    env: { PATH: process.env.PATH, HOME: folder, ...(isTraced && TRACE) },
    ...(isTraced && { argv0: 'sh' }),
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })
  return { status, stdout, stderr }
}

/** In a group of its own: bash hands a signal on to all of its group. */
function runApart(shell: string, line: string): Ended {
  const { status, stdout, stderr } = spawnSync('perl', ['-e', 'setpgrp; exec @ARGV', shell, '-c', line], {
    input: INPUT,
    encoding: 'utf8',
    cwd: '/',
    env: { PATH: process.env.PATH, HOME: folder },
  })
  return { status, stdout, stderr }
}

/** One event that gates, one that does not: the first of each. */
function casesOf(agent: AgentId): readonly (Told & { readonly line: string })[] {
  const lines = linesOf(agent).map(each => ({ agent, ...each }))
  const [gates, others] = [true, false].map(wanted => lines.filter(({ event }) => isGate(agent, event) === wanted))
  return [gates?.[0], others?.find(({ event }) => /stop|AfterAgent|cascade|TaskComplete/i.test(event))].filter(each => each !== undefined)
}

function expectHeld(told: Told, ended: Ended, title: string): void {
  const holds = isGate(told.agent, told.event) ? isRefusal(told, ended) : isSilence(ended)
  expect({ title, ...told, holds, ...ended }).toMatchObject({ holds: true })
}

describe.each(AGENTS)('%s', agent => {
  test('has lines for both kinds of events', () => {
    expect(casesOf(agent)).toHaveLength(2)
    expect(linesOf(agent).every(({ line }) => line.includes(' --proof 90'))).toBe(true)
  })

  test.each(Object.entries(FAULTS))('a client that %s', (title, breakClient) => {
    breakClient()
    for (const shell of SHELLS) for (const { line, ...told } of casesOf(agent)) expectHeld(told, run(shell, line), `${shell}: ${title}`)
  })

  test.each(Object.entries(LIMITS))('a whole client when %s', (title, limit) => {
    for (const kind of ['native', 'perl']) {
      copyFileSync(`${built}-${kind}`, shim)
      for (const { line, ...told } of casesOf(agent)) {
        expectHeld(told, run('sh', line, { limit }), `${kind}: ${title}`)
      }
    }
  })

  test.each(['HUP', 'INT', 'QUIT', 'PIPE', 'ALRM', 'TERM'])('a shell that is sent %s', signal => {
    script(`kill -${signal} $PPID; exit 0`)()
    for (const shell of SHELLS)
      for (const { line, ...told } of casesOf(agent).filter(({ event }) => isGate(agent, event)))
        expectHeld(told, runApart(shell, line), `${shell}: ${signal}`)
  })

  test('an answer that is proved is passed on as it is, everywhere', () => {
    const answer = '{"x":"%s \\\\ é"}'
    for (const shell of SHELLS)
      for (const { line } of casesOf(agent)) {
        script(`cat >/dev/null; printf '%s' '${answer}'; echo careful >&2; exit 90`)()
        expect(run(shell, line)).toEqual({ status: 0, stdout: answer, stderr: 'careful\n' })
      }
  })

  test('the client gets the payload', () => {
    script(`cat; exit 90`)()
    for (const { line } of casesOf(agent)) expect(run('sh', line).stdout).toBe(INPUT)
  })

  test('a refusal that is proved is one, with its reason', () => {
    script(`echo 'Tool denied: the reason' >&2; exit 92`)()
    for (const { line, ...told } of casesOf(agent)) {
      const ended = run('sh', line)
      expect(ended.stderr).toBe('Tool denied: the reason\n')
      if (isGate(told.agent, told.event)) expectHeld(told, ended, 'refuses')
      else expect(ended.status).toBe(2)
    }
  })
})

test('who looks for the shell of a line to end it is asked about', () => {
  const line = linesOf('claude-code').find(({ event }) => event === 'PreToolUse')?.line ?? ''
  const pieces = [...line.slice(0, line.indexOf('; case ')).matchAll(/[\w-]{5,}/g)].map(([word]) => word)
  const isAsked = (command: string): boolean => {
    const context = { root: '/', cwd: '/', home: '/root', belayHome: '/root/.belay', files: createFileView(), selfProtection: true }
    const open = compileRules({ allow: [], deny: [], ask: [], default: 'allow', hash: '' })
    return judge({ tool: 'Bash', input: { command } }, open, context).verdict.decision !== 'allow'
  }
  const path = pieces.filter(piece => folder.includes(piece))
  expect(pieces.filter(piece => !path.includes(piece) && !isAsked(`pkill -f -- ${piece}`))).toEqual([])
  expect(isAsked('pkill -f vite')).toBe(false)
})

// Root has no limit of processes, and reads everything.
describe.runIf(isRoot && process.platform === 'linux')('as a user', () => {
  const uid = 54_321
  beforeAll(() => void spawnSync('chmod', ['755', folder]))

  test.each(AGENTS)('%s: a client that may not be read', agent => {
    client('#!/bin/sh\nexit 90\n', 0o711)
    for (const shell of SHELLS)
      for (const { line, ...told } of casesOf(agent)) expectHeld(told, run(shell, line, { uid }), `${shell}: may not be read`)
  })

  test.each(AGENTS)('%s: a shell that cannot fork', agent => {
    script('exit 90')()
    for (const { line, ...told } of casesOf(agent)) {
      // Where the line has to start another shell first, that one is all that it can start.
      expectHeld(told, run('sh', line, { uid, limit: 'ulimit -u 0' }), 'cannot fork')
    }
  })

  // It tries again for a quarter of a minute.
  test('bash that cannot fork', { timeout: 120_000 }, () => {
    script('exit 90')()
    const [gate] = casesOf('claude-code')
    if (gate === undefined) throw new Error('no gate')
    expectHeld(gate, run('bash', gate.line, { uid, limit: 'ulimit -u 0' }), 'cannot fork')
  })
})

// Cline is given its environment by no settings.
test.each(AGENTS.filter(agent => agent !== 'cline'))('%s: a shell that traces to stdout spoils no answer', agent => {
  const answer = '{"decision":"deny"}'
  script(`{ set +x; } >/dev/null 2>&1; cat >/dev/null; printf '%s' '${answer}'; exit 90`)()
  const [gate] = casesOf(agent)
  const ended = run('bash', gate?.line ?? '', { isTraced: true })
  if (factsOf(agent).startsUserShell) expect(ended).toMatchObject({ status: 2, stderr: expect.stringContaining('traces to stdout') })
  else expect(ended).toEqual({ status: 0, stdout: answer, stderr: '' })
})

test('the client for Node says nothing but its answer to a shell that traces', () => {
  const text = readFileSync(`${built}-node`, 'utf8')
  const ended = run('bash', text, { isTraced: true })
  expect(ended.stdout).toBe('')
})

test('every event of every agent: a client that ends well without a proof has said nothing', () => {
  client('')
  for (const agent of AGENTS)
    for (const { line, ...told } of linesOf(agent).map(each => ({ agent, ...each }))) expectHeld(told, run('sh', line), 'empty')
})

test('a client cut short at any byte never lets a tool run', { timeout: 300_000 }, () => {
  const [gate] = casesOf('claude-code')
  for (const kind of ['native', 'perl', 'node']) {
    const whole = readFileSync(`${built}-${kind}`)
    const step = Math.ceil(whole.length / 150)
    for (let at = 0; at < whole.length; at += step) {
      client(whole.subarray(0, at))
      const ended = run('sh', gate?.line ?? '')
      expect({ kind, at, status: ended.status }).toEqual({ kind, at, status: 2 })
    }
  }
})
