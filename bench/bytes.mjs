// What the ledger of the running daemon takes on disk for one tool call: before it and after it, as Claude Code reports them, with small
// results. Pages, indexes and what stays empty in them are all counted.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const bin = process.env.BELAY_BIN ?? fileURLToPath(new URL('../packages/host/bin/belay.cjs', import.meta.url))
const CALLS = Number(process.env.BELAY_BENCH_CALLS ?? 1000)
const SESSION = '0b5c2f0e-6a3f-4b1e-9a52-1c8f9d3e7a10'
const POLICY = `version: "2.0"
permissions:
  default: ask
  actors:
    "agent:*":
      allow: ["Bash(ls *)", "Bash(npm test *)", "Read(*)", "Write(src/*)", "Edit(src/*)"]
      deny: ["Bash(rm *)"]
`
const folder = mkdtempSync(join(tmpdir(), 'belay-bench-'))
const project = join(folder, 'project')
const home = join(folder, 'home')
const database = join(home, 'belay.db')
const env = { PATH: process.env.PATH, HOME: folder, BELAY_HOME: home }
const belay = args => spawnSync(process.execPath, [bin, ...args], { cwd: project, env, encoding: 'utf8' })
mkdirSync(join(project, '.belay'), { recursive: true })
writeFileSync(join(project, '.belay', 'genesis.key'), POLICY)
belay(['policy', 'trust'])
try {
  // Once up and down: what an empty database takes.
  belay(['up', '--detach', '--port', '0'])
  belay(['down'])
  const empty = statSync(database).size
  belay(['up', '--detach', '--port', '0'])
  await makeCalls()
  belay(['down'])
  console.log(`bytes of ledger per tool call ${Math.round((statSync(database).size - empty) / CALLS)} (budget 2500)`)
} finally {
  belay(['down'])
  rmSync(folder, { recursive: true, force: true })
}

async function makeCalls() {
  const socket = connect(join(home, 'run', 'shim.sock'))
  socket.setEncoding('utf8')
  let count = 0
  socket.on('error', error => {
    throw error
  })
  const send = (event, payload) =>
    new Promise(resolve => {
      const id = `01990000-0000-7000-8000-${String(count++).padStart(12, '0')}`
      const common = { session_id: SESSION, transcript_path: `/home/dev/.claude/projects/repo/${SESSION}.jsonl`, cwd: project }
      const head = { agent: 'claude-code', event, 'event-id': id, cwd: project, attended: true, env: { CLAUDE_PROJECT_DIR: project } }
      socket.once('data', resolve)
      socket.write(
        `${JSON.stringify({ ...head, payload: { ...common, permission_mode: 'default', hook_event_name: event, ...payload } })}\n`,
      )
    })
  for (let at = 0; at < CALLS; at++) {
    const { result, ...call } = describeCall(at)
    const about = { ...call, tool_use_id: `toolu_01${String(at).padStart(22, 'A')}` }
    await send('PreToolUse', about)
    await send('PostToolUse', { ...about, tool_response: result, duration_ms: 12 })
  }
  socket.destroy()
}

function describeCall(at) {
  const file = `${project}/src/file-${at}.ts`
  const text = 'const a = 1\n'.repeat(60)
  const shell = (command, description, stdout) => ({
    tool_name: 'Bash',
    tool_input: { command, description },
    result: { stdout, stderr: '', interrupted: false, isImage: false },
  })
  const kinds = [
    () =>
      shell(`npm test -- --reporter=dot packages/core/src/m${at}`, 'Run the tests of this module', `ok ${at} passed in 1.2 s\n`.repeat(8)),
    () => ({
      tool_name: 'Read',
      tool_input: { file_path: file, limit: 200 },
      result: { type: 'text', file: { filePath: file, content: text, numLines: 60, startLine: 1, totalLines: 60 } },
    }),
    () => shell(`ls -la src/part-${at} && ls -la src | head`, 'Look at the part', 'total 12\n-rw-r--r-- 1 dev dev 100 a.ts\n'),
    () => ({
      tool_name: 'Edit',
      tool_input: { file_path: file, old_string: `const value${at} = compute(1)`, new_string: `const value${at} = compute(2) + 1` },
      result: { filePath: file, oldString: `const value${at} = compute(1)`, newString: 'x', originalFile: text, structuredPatch: [] },
    }),
  ]
  return kinds[at % kinds.length]()
}
