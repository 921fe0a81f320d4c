// A believable quarter of an hour of five agents in one repository, in less than a minute: what is denied does not happen, what is held goes
// on when it is answered, and every call that ran says how it ended.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import type { HookCall, World } from './world.ts'

export const SHOP_POLICY = `# What agents may do in this repository.
version: "2.0"

hooks:
  pre_tool_use:
    - name: protect-env-files
      matcher: "Write(.env*)|Edit(.env*)"
      type: deny
      config:
        reason: "Environment files are protected"
    - name: house-rules
      matcher: "Bash"
      type: command
      config:
        command: "test -e CONTRIBUTING.md"
  post_tool_use:
    - name: keep-evidence
      matcher: "Write|Edit|Bash"
      type: evidence_capture
      config: { ledger: true, kind: change }

guardrails:
  tool_ledger:
    mode: guide

permissions:
  default: ask
  actors:
    "agent:*":
      allow:
        - "Read(*)"
        - "Grep(*)"
        - "Task"
        - "Bash(git *)"
        - "Bash(npm test *)"
        - "Bash(npm run *)"
        - "Bash(ls *)"
        - "Bash(head *)"
        - "Bash(tail *)"
        - "Bash(grep *)"
        - "Write(src/*)"
        - "Edit(src/*)"
        - "Write(docs/*)"
        - "Edit(docs/*)"
        - "Bash(sed -i *)"
      ask:
        - "Bash(npm publish *)"
      deny:
        - { rule: "Bash(rm -rf *)", id: no-recursive-delete, message: "Recursive force delete is prohibited. Move files to .trash/ instead." }
        - { rule: "Bash(git push *)", id: no-push, message: "Pushing is for people. Commit, and say that the branch is ready." }
        - "Read(.env*)"
`

const FILES: Readonly<Record<string, string>> = {
  'CONTRIBUTING.md': 'Small commits. Tests beside the code.\n',
  'src/server.ts': "import { app } from './app.ts'\n\napp.listen(80)\n",
  'src/routes/orders.ts': 'export function total(lines) {\n  return lines.reduce((sum, line) => sum + line.price, 0)\n}\n',
  'src/page/cart.tsx': 'export const Cart = () => null\n',
  'docs/orders.md': '# Orders\n\nAn order has lines.\n',
}

type Answer = Readonly<Record<string, unknown>>

/** What one agent does: a call with what it takes and returns. */
interface Doing extends HookCall {
  readonly ms?: number
  readonly fails?: string
  /** It runs for as long as anybody looks. */
  readonly goesOn?: boolean
  /** What the file holds afterwards. */
  readonly writes?: string
  /** Of a command: which file. */
  readonly file?: string
}

const bash = (command: string, ms = 300): Doing => ({ tool: 'Bash', input: { command }, ms })
const read = (path: string): Doing => ({ tool: 'Read', input: { file_path: path }, ms: 20 })
const edit = (path: string, [from, to]: readonly [string, string], writes: string): Doing => ({
  tool: 'Edit',
  input: { file_path: path, old_string: from, new_string: to },
  ms: 40,
  writes,
})

const SERVER = "import { app } from './app.ts'\n\napp.listen(8080)\n"
const TOTAL =
  'export function total(lines) {\n  const sum = lines.reduce((sum, line) => sum + line.price * line.count, 0)\n  if (sum < 0) throw new RangeError("an order cannot be negative")\n  return sum\n}\n'

const WORK: Readonly<Record<string, readonly (readonly [prompt: string, calls: readonly Doing[]])[]>> = {
  'api-1': [
    [
      'Orders accept a negative total. Fix it, with a test.',
      [
        bash('git status && git diff --stat'),
        read('src/routes/orders.ts'),
        read('src/server.ts'),
        { ...bash('npm test -- --run src/routes', 900), fails: 'src/routes/orders.test.ts: expected RangeError' },
        edit('src/routes/orders.ts', ['sum + line.price, 0', 'sum + line.price * line.count, 0'], TOTAL),
        bash('npm test -- --run src/routes', 1400),
        bash('git add -A && git commit -m "Orders: refuse a negative total"'),
        bash('git add -A && git commit -m wip && git push --force origin main'),
      ],
    ],
    [
      'Do not push, a person does. Go on with the port.',
      [
        { ...bash("sed -i 's/listen(80)/listen(8080)/' src/server.ts", 40), file: 'src/server.ts', writes: SERVER },
        bash('npm run build', 2100),
      ],
    ],
  ],
  'web-2': [
    [
      'The cart shows no total. Add one.',
      [
        read('src/page/cart.tsx'),
        { tool: 'Grep', input: { pattern: 'total', path: 'src' }, ms: 60 },
        {
          tool: 'Write',
          input: { file_path: 'src/page/total.tsx', content: 'export const Total = () => null\n' },
          ms: 30,
          writes: 'export const Total = () => null\n',
        },
        bash('npm run build | tail -20', 1800),
        bash('rm -rf node_modules/.cache && npm run build'),
        bash('npm run build', 1600),
        { ...bash('npm test -- --run src/page'), goesOn: true },
      ],
    ],
  ],
  'review-1': [
    [
      'Review the branch of api-1.',
      [
        bash('git log --oneline | head -20'),
        bash('git diff main...HEAD -- src', 500),
        read('src/routes/orders.ts'),
        read('docs/orders.md'),
        read('src/server.ts'),
      ],
    ],
  ],
  'docs-1': [
    [
      'Describe the totals of orders.',
      [
        read('docs/orders.md'),
        edit('docs/orders.md', ['An order has lines.', 'An order has lines and a total.'], '# Orders\n\nAn order has lines and a total.\n'),
        bash('ls -la docs | head'),
        { tool: 'Write', input: { file_path: '.env.local', content: 'DOCS_URL=http://localhost:4000\n' } },
      ],
    ],
  ],
  'ops-3': [['Release 1.4.', [bash('git log -3 --stat'), bash('npm run build', 1200), bash('npm publish --tag next --dry-run', 700)]]],
}

/** What each agent runs: skill, task, phases gone through, how full its window is. */
const EFFORTS: Readonly<Record<string, readonly [skill: string, task: string, phases: readonly string[], usage: number]>> = {
  'api-1': ['implement', 'tasks/orders', ['plan', 'build'], 0.42],
  'web-2': ['implement', 'tasks/checkout', ['plan', 'build', 'verify'], 0.71],
  'review-1': ['review', 'tasks/orders', ['read'], 0.18],
  'ops-3': ['release', 'tasks/v1.4', ['check', 'publish'], 0.55],
}

export function writeShop(world: World): void {
  for (const [path, text] of Object.entries(FILES)) write(world, path, text)
}

/** `pace`: 1 takes about half a minute. Somebody has to allow the publish meanwhile. */
export async function playShop(world: World, pace: number): Promise<void> {
  await Promise.all(Object.keys(WORK).map((agentId, index) => sleep(index * 700 * pace).then(() => play(world, agentId, pace))))
}

async function play(world: World, agentId: string, pace: number): Promise<void> {
  const session = `${agentId}-s`
  const send = (event: string, payload: HookCall['payload'] = {}) => world.hook(event, { session, agentId, payload: payload ?? {} })
  await begin(world, agentId, session)
  let count = 0
  for (const [turn, [prompt, calls]] of (WORK[agentId] ?? []).entries()) {
    await send('UserPromptSubmit', { prompt })
    if (turn === 0 && agentId === 'web-2') await helper(world, session, pace)
    for (const doing of calls) {
      if (EFFORTS[agentId] !== undefined && count % 3 === 2) await log(world, agentId, doing)
      await sleep(pace * (500 + ((count * 7919) % 5) * 420))
      await carryOut(world, doing, { session, agentId, id: `toolu_${agentId}_${count++}`, pace })
    }
    if (turn === 0 && agentId === 'api-1') await send('PreCompact', { trigger: 'auto', custom_instructions: '' })
    if (agentId !== 'web-2') await send('Stop', { stop_hook_active: false, last_assistant_message: LAST[agentId]?.[turn] ?? 'Done.' })
  }
}

/** What an effort asks of its agent now and then. */
async function log(world: World, agentId: string, { tool, input = {} }: Doing): Promise<void> {
  await world.rpc('effort.log', { text: `next: ${tool} ${String(input.command ?? input.file_path ?? '')}`, agentId, cwd: world.project })
}

/** By turn. */
const LAST: Readonly<Record<string, readonly string[]>> = {
  'api-1': [
    'Orders refuse a negative total. The commit is there; the push was refused.',
    'The server listens on 8080, and the build passes.',
  ],
  'review-1': ['Two remarks: the message of the error, and a test for counts of zero.'],
  'docs-1': ['The page describes totals. I may not write .env.local.'],
  'ops-3': ['1.4 is built, and the publish was tried.'],
}

/** A sub-agent that looks something up. */
async function helper(world: World, session: string, pace: number): Promise<void> {
  const task = {
    tool: 'Task',
    input: { description: 'Find where totals are shown', prompt: 'List files', subagent_type: 'explore' },
    session,
    agentId: 'web-2',
  }
  await world.hook('PreToolUse', { ...task, payload: { tool_use_id: 'toolu_task' } })
  const child = { agent_id: 'explore-1', agent_type: 'explore' }
  await world.hook('SubagentStart', { session, agentId: 'web-2', payload: child })
  for (const [index, doing] of [bash('grep -rn total src | head -40'), read('src/page/cart.tsx')].entries()) {
    const payload = { ...child, tool_use_id: `toolu_explore_${index}` }
    await sleep(400 * pace)
    await world.hook('PreToolUse', { ...doing, session, agentId: 'web-2', payload })
    await world.hook('PostToolUse', {
      ...doing,
      session,
      agentId: 'web-2',
      payload: { ...payload, tool_response: { stdout: 'src/page/cart.tsx' } },
    })
  }
  await world.hook('SubagentStop', { session, agentId: 'web-2', payload: { ...child, stop_hook_active: false } })
  await world.hook('PostToolUse', { ...task, payload: { tool_use_id: 'toolu_task', tool_response: { content: 'src/page/cart.tsx' } } })
}

async function begin(world: World, agentId: string, session: string): Promise<void> {
  await world.hook('SessionStart', { session, agentId, payload: { source: 'startup' } })
  const [skill, task, phases, usage] = EFFORTS[agentId] ?? ['', '', [], 0.07]
  await world.rpc('fleet.line', {
    agent: 'claude-code',
    sessionId: session,
    agentId,
    cwd: world.project,
    usage,
    contextWindow: 200_000,
    cost: usage * 3,
  })
  if (skill === '') return
  await world.rpc('effort.start', { skill, task, agentId, cwd: world.project })
  for (const phase of phases) await world.rpc('effort.phase', { phase, agentId, cwd: world.project })
}

interface Place {
  readonly session: string
  readonly agentId: string
  readonly id: string
  readonly pace: number
}

async function carryOut(world: World, doing: Doing, { session, agentId, id, pace }: Place): Promise<void> {
  const { ms = 100, fails, goesOn = false, writes, tool = 'Bash', input: given = {}, file = given.file_path } = doing
  // Agents name files by their whole path.
  const input = given.file_path === undefined ? given : { ...given, file_path: join(world.project, String(given.file_path)) }
  const call = { tool, input, session, agentId }
  const answer = await world.hook('PreToolUse', { ...call, payload: { tool_use_id: id } })
  if (decisionOf(answer) === 'deny' || goesOn) return
  await sleep(ms * pace)
  if (writes !== undefined) write(world, String(file), writes)
  if (fails === undefined) await world.hook('PostToolUse', { ...call, payload: { tool_use_id: id, tool_response: { stdout: 'ok' } } })
  else await world.hook('PostToolUseFailure', { ...call, payload: { tool_use_id: id, error: fails } })
}

/** The whole session, with a person at the page who allows what is held. */
export async function playShopAtPage(world: World, browser: Browser, pace: number): Promise<void> {
  writeShop(world)
  const { page, context } = await world.openPage(browser)
  const playing = playShop(world, pace)
  await page.getByRole('region', { name: 'Waiting for you' }).getByRole('button', { name: 'Allow' }).click()
  await playing
  await context.close()
}

export function decisionOf(answer: Answer): unknown {
  return (answer.hookSpecificOutput as Answer | undefined)?.permissionDecision
}

function write(world: World, path: string, text: string): void {
  mkdirSync(dirname(join(world.project, path)), { recursive: true })
  writeFileSync(join(world.project, path), text)
}
