// Every command block of README and docs is run, block after block, in a project of its own for each page, and the output that a block shows
// is compared: `...` stands for anything. What cannot be run here is listed with its reason.
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'

const repo = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const program = join(repo, 'packages/host/bin/belay.cjs')

/** The beginning of a command -> why it is not run. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'npm install -g': 'e2e/pack.test.ts installs the packed packages',
  'belay dashboard': 'opens a browser; e2e/dashboard has its page',
  'belay up --detach --open': 'opens a browser; e2e/dashboard has its page',
  'belay mcp-proxy -- SERVER': 'names a server of your own; e2e/mcp-proxy.test.ts has one',
  'docker run': 'needs Docker and an image of your own',
  'belay approvals allow': 'a person types an answer; approval/held-call.system.test.ts does',
  'belay approvals deny': 'a person types an answer; approval/held-call.system.test.ts does',
  'belay learn --write': 'a person types an answer; command/policy-code.test.ts does',
  'belay replay --bundle': 'names a bundle of a team; command/replay.test.ts makes one',
  'belay-hub': 'needs PostgreSQL; e2e/team.test.ts has one',
  'belay join': 'names a hub of your own; e2e/team.test.ts has one',
  'belay team status': 'needs a hub; e2e/team.test.ts has one',
  'belay policy publish': 'needs a hub; e2e/team-policy.test.ts runs these lines of the page',
  'belay policy rollback': 'needs a hub; e2e/team-policy.test.ts runs these lines of the page',
  'belay team approvals': 'needs a hub; e2e/team-approvals.test.ts runs these lines of the page',
  'belay team decide': 'needs a hub; e2e/team-approvals.test.ts runs these lines of the page',
  'belay leave': 'needs a hub; e2e/team.test.ts has one',
  'belay approve': 'is for somebody else than the one who did the work; commitment/commitment.test.ts has both',
}

/** An agent asks as it would before it does this; e2e/agents and the test of the first hour run the real one. */
const AGENT = /^claude -p '.*: (.*?)'/

interface Block {
  readonly page: string
  readonly line: number
  readonly commands: readonly Command[]
}

interface Command {
  readonly text: string
  /** Null: the block shows none. */
  readonly shown: string | null
}

function pages(): readonly string[] {
  const guides = ['docs', 'docs/guide', 'docs/reference'].flatMap(folder =>
    readdirSync(join(repo, folder))
      .filter(name => name.endsWith('.md'))
      .map(name => join(folder, name)),
  )
  return ['README.md', 'CONTRIBUTING.md', ...guides]
}

function blocksOf(page: string): readonly Block[] {
  const blocks: Block[] = []
  const lines = readFileSync(join(repo, page), 'utf8').split('\n')
  for (let at = 0; at < lines.length; at++) {
    const language = /^```(sh|bash|console)$/.exec(lines[at] ?? '')?.[1]
    if (language === undefined) continue
    const end = lines.indexOf('```', at)
    const body = lines.slice(at + 1, end)
    blocks.push({ page, line: at + 1, commands: language === 'console' ? readConsole(body) : readScript(body) })
    at = end
  }
  return blocks
}

/** `$ command`, then what it prints. */
function readConsole(lines: readonly string[]): readonly Command[] {
  const starts = lines.flatMap((line, at) => (line.startsWith('$ ') ? [at] : []))
  return starts.map((start, index) => ({
    text: (lines[start] ?? '').slice(2),
    shown: lines.slice(start + 1, starts[index + 1] ?? lines.length).join('\n'),
  }))
}

/** One command a line; a backslash or an open quote goes on. */
function readScript(lines: readonly string[]): readonly Command[] {
  const commands: Command[] = []
  let open = ''
  for (const line of lines) {
    open = open === '' ? line : `${open}\n${line}`
    const code = open.replaceAll(/\s#\s.*$/gm, '')
    const isOpen = code.endsWith('\\') || (code.replaceAll(/"[^"]*"/g, '').split("'").length - 1) % 2 === 1
    if (isOpen || open.trim() === '') continue
    commands.push({ text: open, shown: null })
    open = ''
  }
  return commands
}

const POLICY = /```yaml\n(version: "2\.0"[\s\S]*?)```/.exec(readFileSync(join(repo, 'README.md'), 'utf8'))?.[1] ?? ''

/** What a page takes for granted. */
function prepareFor(page: string): string {
  const text = readFileSync(join(repo, page), 'utf8')
  if (page === 'README.md') return 'belay policy trust'
  if (/^curl --unix-socket/m.test(text)) return 'belay up --detach'
  // A policy with its tests, and a daemon that has recorded something.
  const begin = /^belay genesis init/m.test(text) ? 'true' : 'belay genesis init'
  if (/^belay (?:learn|policy (?:test|lint)|replay)/m.test(text)) return `${begin} && belay up --detach`
  // A session of an agent, which its hooks begin.
  if (!/^belay dehydrate/m.test(text)) return 'true'
  const begun = '{"session_id":"s1","cwd":"\'"$PWD"\'","hook_event_name":"SessionStart","source":"startup"}'
  return `belay up --detach && echo '${begun}' | belay hook --agent claude-code --event SessionStart`
}

/** Commands whose no (1) or ask (3) is an answer too. */
const ANSWERS = /^belay (?:why|doctor|explain|hooks|genesis validate|policy (?:lint|prove|diff|test --mutate)|replay)\b/

interface World {
  run(command: string): Promise<{ readonly code: number; readonly out: string }>
  remove(): void
}

/** A home, a project with README's policy, and `belay` on the PATH. */
function openWorld(page: string): World {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'belay-docs-')))
  const [home, bin] = [join(folder, 'home'), join(folder, 'bin')]
  const project = join(home, 'my-project')
  for (const place of [bin, join(home, '.claude'), join(project, '.belay'), join(project, 'tasks')]) mkdirSync(place, { recursive: true })
  writeFileSync(join(bin, 'belay'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`)
  chmodSync(join(bin, 'belay'), 0o755)
  spawnSync('git', ['init', '-q', project])
  writeFileSync(join(project, 'package.json'), '{"name":"my-project","scripts":{"test":"true"}}')
  mkdirSync(join(project, '.belay/skills/implement'), { recursive: true })
  writeFileSync(join(project, '.belay/skills/implement/SKILL.md'), '---\nname: implement\nphases: [plan, build]\n---\n')
  const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: home, BELAY_HOME: join(home, '.belay'), AGENT_ID: 'docs' }
  writeFileSync(join(project, 'draft.key'), POLICY)
  writeFileSync(join(project, 'draft.test.yaml'), 'never: ["Write(.env*)"]\ntests: []\n')
  if (page === 'README.md') writeFileSync(join(project, '.belay/genesis.key'), POLICY)
  const ids = new Map<string, string>()
  const ready = runShell(prepareFor(page), { env, cwd: project })
  return {
    async run(text) {
      await ready
      const asked = AGENT.exec(text)?.[1]
      if (asked !== undefined) return runShell(askBefore(asked, project), { env, cwd: project })
      const command = text.replaceAll(/\b(mem|cmt|apr)_[0-9a-f]{8}\b/g, (all, kind: string) => ids.get(kind) ?? all)
      const ran = await runShell(command.replaceAll('"/repo"', JSON.stringify(project)), {
        env,
        cwd: text.startsWith('cd my-project') ? home : project,
      })
      for (const [, id, kind] of ran.out.matchAll(/\b((mem|cmt|apr)_[0-9a-f]{8})\b/g)) ids.set(kind ?? '', id ?? '')
      return ran
    },
    remove() {
      spawnSync(process.execPath, [program, 'down'], { env, cwd: project })
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function askBefore(command: string, cwd: string): string {
  const call = { session_id: 's1', cwd, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command } }
  return `echo '${JSON.stringify(call)}' | belay hook --agent claude-code --event PreToolUse`
}

/** What stays until somebody ends it is ended after a while, and has worked if it said nothing of a failure. */
const STAYS = /--watch|\/v1\/events/

function runShell(command: string, options: { readonly env: Readonly<Record<string, string>>; readonly cwd: string }) {
  return new Promise<{ readonly code: number; readonly out: string }>(resolve => {
    const child = spawn('bash', ['--norc', '-c', command], { ...options, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    let out = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', data => {
        out += data
      })
    }
    const stays = STAYS.test(command)
    const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGTERM'), stays ? 4000 : 110_000)
    child.once('close', code => {
      clearTimeout(timer)
      resolve({ code: stays && !/^belay: /m.test(out) ? 0 : (code ?? 1), out })
    })
  })
}

/** `...` stands for anything, also for whole lines. */
function matches(shown: string, out: string): boolean {
  const pattern = shown
    .trim()
    .split('...')
    .map(part => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[\\s\\S]*')
  return new RegExp(`^${pattern}$`).test(out.trim())
}

const worlds = new Map<string, World>()
afterAll(() => {
  for (const world of worlds.values()) world.remove()
})

describe.each(
  pages()
    .map(page => [page, blocksOf(page)] as const)
    .filter(([, blocks]) => blocks.length > 0),
)('%s', (page, blocks) => {
  const world = () => worlds.get(page) ?? worlds.set(page, openWorld(page)).get(page)
  const commands = blocks.flatMap(({ line, commands: all }) => all.map(command => ({ ...command, line })))
  const runnable = commands.filter(({ text }) => !Object.keys(NOT_RUN).some(start => text.startsWith(start)))
  test.each(runnable.map(command => [command.line, command.text, command] as const))(
    'line %i: %s',
    async (_line, text, { shown }) => {
      const { code, out } = (await world()?.run(text)) ?? { code: 1, out: '' }
      expect({ works: code === 0 || ((code === 1 || code === 3) && ANSWERS.test(text)), code, out }).toEqual({ works: true, code, out })
      if (shown !== null) expect(matches(shown, out) ? shown : out).toBe(shown)
    },
    120_000,
  )
})

test('what is not run is still there', () => {
  const all = pages().flatMap(page => blocksOf(page).flatMap(({ commands }) => commands.map(({ text }) => text)))
  expect(Object.keys(NOT_RUN).filter(start => !all.some(text => text.startsWith(start)))).toEqual([])
})
