// A window that fills up. Headless agents have no status line, so how full it is comes from the token counts in the transcript, which the
// scripted model controls. Cases as in case.mjs.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { HAND_OVER } from './policy.mjs'

const touch = name => ({ shell: `touch ${name} file.txt` })
const text = { text: 'All done.' }
const HANDED = JSON.stringify({ summary: 'SUMMARY-OF-THE-FIRST-LIFE', nextStep: 'STEP-OF-THE-NEXT-LIFE' })

export const OVERFLOW_CASES = [
  { name: 'a full window under the supervisor', run: handOver, agents: agent => agent === 'claude-code' },
  { name: 'a window that fills up', run: fillUp, agents: agent => agent === 'claude-code' || agent === 'codex' },
  { name: 'a status line that says how full the window is', run: statusLine, agents: agent => agent === 'claude-code' },
]

/**
 * The window is taken for smaller than it is, so that ours is full before the agent's own: at 95,000 tokens calls are refused until the work is
 * handed over; at 190,000 Claude Code compacts by itself, which ends the first life. An agent writes its counts down some time after it has
 * asked about the call that came with them, so a refusal comes one call late, and the scripted model, faster than any real one, waits for it.
 */
async function handOver(home) {
  const id = 'supervised'
  const project = begin(home, id)
  const steps = [
    { ...touch('before'), tokens: 20_000 },
    { ...touch('last'), tokens: 95_000 },
    { ...touch('refused'), tokens: 96_000, before: () => transcriptSays(home, project, 95_000) },
    { shell: `belay dehydrate '${HANDED}'`, tokens: 190_000 },
    // The summary that Claude Code asks for may use one up before it is ended.
    { ...touch('after'), tokens: 5_000 },
    { ...touch('after'), tokens: 5_000 },
    text,
  ]
  const env = { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '200000' }
  const run = await home.run({ project, policy: HAND_OVER, steps, supervisedAs: id, env, limitMs: 300_000 })
  const turns = run.requests.filter(({ isTurn }) => isTurn).map(({ body }) => JSON.stringify(body))
  const again = turns.find(body => body.includes('you were started anew')) ?? ''
  const kinds = (await run.entriesWhen(entries => entries.some(({ kind }) => kind === 'pre_compact'))).map(({ kind }) => kind)
  const sessions = JSON.parse(home.belay(['session', 'list', '--json'], project, { AGENT_ID: id }))
  return [
    ['the supervisor ends as its agent did', run.code === 0, run],
    ['a call in an empty window runs', run.has('before')],
    ['a call in a full one does not', !run.has('refused')],
    [
      'the model reads how to hand over',
      run.heard.includes('Hand your work over first') && /belay\S* dehydrate/.test(run.heard),
      run.heard,
    ],
    ['compaction is recorded', kinds.includes('pre_compact'), kinds],
    ['the agent is started anew with the recovery prompt', again !== '', run.err],
    ['the new window does not know the old talk', again !== '' && !again.includes('please work')],
    ['but what was handed over', ['SUMMARY-OF-THE-FIRST-LIFE', 'STEP-OF-THE-NEXT-LIFE'].every(said => again.includes(said)), again],
    ['and goes on', run.has('after')],
    ['two sessions, the second linked to the first', isLinked(sessions), sessions],
  ]
}

async function fillUp(home) {
  const id = 'alone'
  const project = begin(home, id)
  const steps = [
    { ...touch('before'), tokens: 20_000 },
    { ...touch('last'), tokens: 95_000 },
    { ...touch('refused'), tokens: 96_000, before: () => transcriptSays(home, project, 95_000) },
    { ...touch('refused-too'), tokens: 96_000 },
    text,
  ]
  const run = await home.run({ project, policy: HAND_OVER, steps, env: { AGENT_ID: id } })
  const verdicts = run.entries().flatMap(({ kind, body }) => (kind === 'pre_tool_use' ? [body.verdict] : []))
  return [
    ['a call in an empty window runs', run.has('before'), run],
    ['calls in a full one do not', !run.has('refused') && !run.has('refused-too')],
    ['the model reads why', run.heard.includes('Hand your work over')],
    ['the ledger has the refusals', /^none,(?:none|deny),deny,deny$/.test(verdicts.join()), verdicts],
  ]
}

/** Headless there is no status line, so the lines that were installed are run as the agent would. */
async function statusLine(home) {
  const id = 'shown'
  const project = begin(home, id)
  home.belay(['policy', 'trust'], project)
  const { hooks, statusLine: line } = home.settings()
  const about = { session_id: 'shown-1', cwd: project, transcript_path: null }
  const start = line => home.runLine(line, { project, env: { AGENT_ID: id } })
  const hook = (event, payload) =>
    start({ command: hooks[event][0].hooks[0].command, input: { ...about, hook_event_name: event, ...payload } })
  const call = () => hook('PreToolUse', { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'toolu_1' })
  const show = used => {
    const context_window = { used_percentage: used, context_window_size: 500_000 }
    return start({
      command: line.command,
      input: { session_id: 'shown-1', cwd: project, workspace: { project_dir: project }, context_window },
    })
  }
  await hook('SessionStart', { source: 'startup' })
  const first = show(42)
  const before = call()
  show(95)
  const after = call()
  const [session] = JSON.parse(home.belay(['session', 'list', '--json'], project, { AGENT_ID: id }))
  return [
    ['it prints a line', first.code === 0 && first.out.includes('42'), first],
    ['a call in half a window is left alone', !before.out.includes('deny'), before],
    ['a call in a full one is refused', after.out.includes('Hand your work over first'), after],
    ['the daemon knows how full it is', session?.contextUsage === 0.95, session],
  ]
}

/** Until the agent's own transcript of that project holds the count. */
async function transcriptSays({ home }, project, tokens) {
  const says = text => text.includes(JSON.stringify(project)) && text.includes(`"input_tokens":${tokens},`)
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(20)) {
    const written = readdirSync(home, { recursive: true }).filter(name => name.endsWith('.jsonl'))
    if (written.some(name => says(readFileSync(join(home, name), 'utf8')))) return
  }
  throw new Error(`no transcript says ${tokens} tokens`)
}

/** A project with an effort of that agent's. */
function begin(home, id) {
  home.down()
  home.configure(`[agents.${home.agent}]\ncontext_window = 100000\n`)
  home.up()
  const project = home.makeProject(HAND_OVER)
  home.belay(['effort', 'start', 'IMPLEMENT'], project, { AGENT_ID: id })
  return project
}

/** Claude Code may have begun its summary in a sub-agent before it was ended: that has a session of its own. */
function isLinked(sessions) {
  const [newer, older, ...more] = sessions.filter(({ subagent }) => subagent === null).sort((a, b) => b.id - a.id)
  return older !== undefined && newer.previous === older.id && more.length === 0
}
