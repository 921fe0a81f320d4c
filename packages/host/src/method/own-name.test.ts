// Where the name `belay` is not found, every text for an agent calls the program by its whole path, and what allows the name allows the path.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findCaller } from '../command/commit-caller.ts'
import { createTestIo } from '../command/fixtures/test-io.ts'
import { mcpParts } from '../command/mcp.ts'
import { runProgram } from '../command/program.ts'
import { ownProgram } from '../config/own-command.ts'
import { runDaemon, type TestDaemon } from '../daemon/fixtures/run-daemon.ts'

const POLICY = `version: "2.0"
permissions:
  default: deny
  actors:
    "agent:*":
      allow: ["Bash(belay log *)", "Bash(ls *)", "Read(*)"]
      deny: ["Bash(git push *)", "Bash(belay dehydrate *)"]
      ask: ["Bash(npm publish *)"]
hooks:
  pre_tool_use:
    - {matcher: "Bash(rm *)", type: deny, config: {reason: "ask first: belay claim ID"}}
    - matcher: Read
      type: command
      config: {command: "echo '{\\"hookSpecificOutput\\": {\\"hookEventName\\": \\"PreToolUse\\", \\"additionalContext\\": \\"then run belay log TEXT\\"}}'"}
`

const BARE = /(?<![\w./@-])belay [a-z]/
const program = ownProgram()
let daemon: TestDaemon
let empty = ''

beforeAll(async () => {
  const path = process.env.PATH
  // Where sh, cat and the like are, and no belay.
  process.env.PATH = '/usr/bin:/bin'
  daemon = await runDaemon({ policy: POLICY })
  process.env.PATH = path
  empty = join(daemon.folder, 'empty')
  mkdirSync(empty, { recursive: true })
})
afterAll(async () => {
  rmSync(empty, { recursive: true, force: true })
  await daemon.stop()
})

const bash = (command: string) => daemon.hook('PreToolUse', { tool_name: 'Bash', tool_input: { command } })

async function belay(...argv: string[]) {
  const { io, written } = createTestIo({ env: { ...daemon.env, PATH: empty, AGENT_ID: 'a1' }, cwd: daemon.project, etc: empty })
  const code = await runProgram(argv, io)
  return { code, ...written }
}

describe('what an agent is told', () => {
  test.each<[string, () => Promise<string>, string]>([
    ['a reason of the policy', async () => (await bash('rm x')).stdout, `ask first: ${program} claim ID`],
    ['a question that nobody answers', async () => (await bash('npm publish x')).stdout, `${program} approvals allow apr_`],
    [
      'context of a hook',
      async () => (await daemon.hook('PreToolUse', { tool_name: 'Read', tool_input: { file_path: 'a' } })).stdout,
      `then run ${program} log TEXT`,
    ],
    ['a refused verb', async () => (await belay('effort', 'phase', 'build')).err, `start one with: ${program} effort start SKILL`],
    [
      'a second effort',
      async () => {
        await belay('effort', 'start', 'implement')
        return (await belay('effort', 'start', 'fix')).err
      },
      `finish it first: ${program} effort finish`,
    ],
    ['an empty list', async () => (await belay('commitments')).out, `make one with: ${program} commit "TEXT"`],
    ['an unknown commitment', async () => (await belay('claim', 'cmt_12345678')).err, `${program} commitments lists what there is`],
    ['nothing to log', async () => (await belay('log', ' ')).err, `${program} log "TEXT"`],
    [
      'a note about a policy that nobody trusted',
      async () => {
        const other = join(empty, 'other', '.belay')
        mkdirSync(other, { recursive: true })
        writeFileSync(join(other, 'genesis.key'), 'version: "2.0"\npermissions: {default: allow}\n')
        const { io, written } = createTestIo({ env: { ...daemon.env, PATH: empty }, cwd: join(empty, 'other'), etc: empty })
        await runProgram(['explain', '--', 'ls'], io)
        return written.err
      },
      `until \`${program} policy trust\``,
    ],
    ['help', async () => (await belay('explain', '--help')).out, `${program} explain --`],
    ['an unknown command', async () => (await belay('efort')).err, `(${program} COMMAND --help explains it)`],
    [
      'an answer over MCP',
      async () => {
        const { io } = createTestIo({ env: { ...daemon.env, PATH: empty, AGENT_ID: 'a1' }, cwd: daemon.project, etc: empty })
        const answer = await mcpParts(io, findCaller(io)).ask('commitments.claim', {
          target: 'cmt_12345678',
          cwd: daemon.project,
          agent: 'mcp',
        })
        return answer.ok ? 'ok' : answer.why
      },
      `${program} commitments lists what there is`,
    ],
  ])('%s', async (_title, say, expected) => {
    const text = await say()
    expect(text).toContain(expected)
    expect(text).not.toMatch(BARE)
  })

  test('the record keeps what the policy says', async () => {
    await bash('rm y')
    expect(JSON.stringify(await daemon.entries())).toContain('ask first: belay claim ID')
  })
})

describe('by the PATH of the agent, not of the daemon', () => {
  const ask = (frame: object) => daemon.hook('PreToolUse', { tool_name: 'Bash', tool_input: { command: 'rm z' } }, { ...frame })

  test('that it says itself', async () => {
    const bin = join(empty, 'bin')
    mkdirSync(bin, { recursive: true })
    symlinkSync(program, join(bin, 'belay'))
    expect((await ask({ path: `${empty}:${bin}` })).reason).toContain('ask first: belay claim ID')
    expect((await ask({ path: empty })).reason).toContain(`ask first: ${program} claim ID`)
  })

  test.runIf(process.platform === 'linux')('that the process has which started the client', async () => {
    const bin = join(empty, 'parent')
    mkdirSync(bin, { recursive: true })
    symlinkSync(program, join(bin, 'belay'))
    const parent = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { env: { PATH: bin }, stdio: ['pipe', 'ignore', 'ignore'] })
    await once(parent, 'spawn')
    try {
      expect((await ask({ parent: parent.pid })).reason).toContain('ask first: belay claim ID')
    } finally {
      parent.stdin.end()
      await once(parent, 'exit')
    }
    expect((await ask({ parent: parent.pid })).reason).toContain(`ask first: ${program} claim ID`)
  })
})

test('what a refusal quotes of the call and of the rules stays as it was written', async () => {
  const { reason } = await bash('belay   dehydrate x && ls')
  expect(reason).toContain('"belay dehydrate x" is forbidden by the rule Bash(belay dehydrate *)')
})

test.each<[string, 'allow' | 'deny']>([
  ['belay log done', 'allow'],
  [`${program} log done`, 'allow'],
  [`ls && ${program} log done`, 'allow'],
  [`${program} dehydrate x`, 'deny'],
  [`${program} log done; git push`, 'deny'],
  [`${program} log "$(git push)"`, 'deny'],
  [`NODE_OPTIONS=--require=./x.js ${program} log done`, 'deny'],
  // Another program that only has the name.
  ['/opt/evil/belay.cjs log done', 'deny'],
  ['./belay log done', 'deny'],
  [`${program}/../../../../evil/belay.cjs log done`, 'deny'],
  [`${program} down`, 'deny'],
])('%s is judged %s', async (command, expected) => {
  const { stdout } = await bash(command)
  expect(JSON.parse(stdout).hookSpecificOutput.permissionDecision).toBe(expected)
})
