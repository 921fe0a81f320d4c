// Other places and other doors: a worktree, an MCP server, a hook file that was written for another agent.
import { decisionAbout, degraded, type Finding, ignored, obeyed, ran, refused, type Seen, unreached, untried } from '../case.ts'
import { SERVER_NAME } from '../trial-server.ts'
import { DONE, PLAIN_POLICY, type Scene, touch } from './scene.ts'

const HUGE_POLICY = PLAIN_POLICY.replace('      deny:\n', '      deny:\n        - "Bash(touch huge *)"\n')

export const WORKTREE: Scene = {
  title: 'a worktree, and a call of 300 KB',
  cases: [
    { id: 'worktree', title: 'the policy holds in a worktree', check: seen => refused(seen, { step: 'denied', trace: 'denied' }) },
    { id: 'worktree-allow', title: 'allowed calls run there', check: seen => ran(seen, 'allowed', 'allowed') },
    { id: 'huge-deny', title: 'a denied call of 300 KB does not run', check: checkHuge },
  ],
  run({ scratch, play }) {
    const tree = scratch.addWorktree(scratch.makeProject(HUGE_POLICY))
    const huge = { id: 'huge', calls: [{ shell: `touch huge ${'x'.repeat(300_000)}` }] }
    return play({ project: tree, steps: [touch('denied'), huge, touch('allowed'), DONE] })
  },
}

/** The record keeps such an input beside it, so that it is known by the verdict: only one other call is denied here. */
function checkHuge(seen: Seen): Finding {
  const early = unreached(seen, 'huge')
  if (early !== null) return early
  if (seen.has('huge')) return ignored('it ran')
  const denied = seen.entries.filter(({ kind, body }) => kind === 'pre_tool_use' && body.verdict === 'deny')
  const other = denied.find(({ body }) => !JSON.stringify(body).includes('touch denied file'))
  if (other === undefined) return untried('it did not run, and did not come to Belay either')
  return other.body.input === undefined
    ? degraded(`hooks see only a part of it, so that it is refused: ${String(other.body.reason)}`)
    : obeyed
}

const MCP_POLICY = PLAIN_POLICY.replace('      deny:\n', `      deny:\n        - "mcp__${SERVER_NAME}__send(to:foe*)"\n`)

const call = (id: string, mcp: string, input: Readonly<Record<string, string>>) => ({ id, calls: [{ mcp, server: SERVER_NAME, input }] })

function called(seen: Seen, step: string, text: string): Finding {
  return unreached(seen, step) ?? (seen.mcpCalls.some(each => each.includes(text)) ? obeyed : ignored('it did not run'))
}

/** Refused by Belay, not for any other reason. */
function notCalled(seen: Seen, step: string, text: string): Finding {
  const early = unreached(seen, step)
  if (early !== null) return early
  if (seen.mcpCalls.some(each => each.includes(text))) return ignored('it ran')
  return decisionAbout(seen, text) === undefined ? untried('it did not run, and did not come to Belay either') : obeyed
}

export const MCP: Scene = {
  title: 'tools of an MCP server',
  whyNot: ({ agent, headless }) => (headless.mcp === null ? `${agent.name} has no MCP` : null),
  cases: [
    { id: 'mcp-allow', title: 'an allowed tool of an MCP server runs', check: seen => called(seen, 'friend', 'friend') },
    { id: 'mcp-deny', title: 'a denied one does not', check: seen => notCalled(seen, 'foe', 'foe') },
    {
      id: 'unknown-deny',
      title: 'a tool that nobody described, with a denied command in it, does not run',
      check: seen => notCalled(seen, 'unknown-denied', 'touch denied'),
    },
    { id: 'unknown-allow', title: 'with another command it does', check: seen => called(seen, 'unknown-allowed', 'touch allowed') },
  ],
  run: ({ scratch, play }) =>
    play({
      project: scratch.makeProject(MCP_POLICY),
      hasServer: true,
      steps: [
        call('friend', 'send', { to: 'friend' }),
        call('foe', 'send', { to: 'foe' }),
        call('unknown-denied', 'execute_command', { command: 'touch denied file.txt' }),
        call('unknown-allowed', 'execute_command', { command: 'touch allowed file.txt' }),
        DONE,
      ],
    }),
}

export const BORROWED: Scene = {
  title: 'a hook file that was written for another agent',
  whyNot: ({ agent }) => (agent.borrows.length === 0 ? `${agent.name} reads no other agent's hook file` : null),
  borrows: ({ agent }) => agent.borrows[0] ?? null,
  cases: [
    {
      id: 'borrowed-deny',
      title: "on another agent's line a denied call does not run",
      check: seen => refused(seen, { step: 'denied', trace: 'denied' }),
    },
    { id: 'borrowed-allow', title: 'an allowed one does', check: seen => ran(seen, 'allowed', 'allowed') },
    {
      id: 'borrowed-record',
      title: 'the record names the agent that really called',
      check(seen) {
        const other = seen.entries.find(({ kind, body }) => kind === 'pre_tool_use' && body.agent !== seen.agent.id)
        return unreached(seen, 'allowed') ?? (other === undefined ? obeyed : ignored(`it says ${String(other.body.agent)}`))
      },
    },
  ],
  run: ({ scratch, play }) => play({ project: scratch.makeProject(PLAIN_POLICY), steps: [touch('denied'), touch('allowed'), DONE] }),
}
