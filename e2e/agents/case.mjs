// What the real agents must do under Belay beyond what `belay conform` tries. A case runs the real agent once and gives a list of
// [what must hold, whether it does].
import { SDK_CASES } from './agent-sdk.mjs'
import { DAEMON_CASES } from './daemon.mjs'
import { DOCTOR_CASES } from './doctor.mjs'
import { LEARN_CASES } from './learn.mjs'
import { MCP_CASES } from './mcp.mjs'
import { OVERFLOW_CASES } from './overflow.mjs'
import { DENY_ONLY, STOP_ALWAYS } from './policy.mjs'
import { SELF_CASES } from './self.mjs'
import { TOOL_CASES } from './tool.mjs'

const touch = name => ({ shell: `touch ${name} file.txt` })
const text = { text: 'All done.' }

export const CASES = [
  { name: "the agent's cap on blocked stops", run: stopCap, agents: agent => agent === 'claude-code' },
  { name: 'compaction', run: compaction, agents: agent => agent === 'claude-code' },
  { name: 'its own hook file and the one that it borrows', run: bothFiles, agents: agent => agent === 'grok' },
  ...DOCTOR_CASES,
  ...OVERFLOW_CASES,
  ...LEARN_CASES,
  ...MCP_CASES,
  ...SDK_CASES,
  ...SELF_CASES,
  ...TOOL_CASES,
  ...DAEMON_CASES,
  { name: 'neither the daemon nor the fallback', run: nothingLeft },
]

async function stopCap(home) {
  const run = await home.run({ policy: STOP_ALWAYS, steps: [text] })
  const stops = run.entries().filter(({ kind }) => kind === 'stop')
  return [
    ['the agent ends in spite of the policy', run.code === 0, run],
    ['after no more than nine stops', stops.length > 1 && stops.length <= 9, stops.length],
  ]
}

async function compaction(home) {
  const first = await home.run({ policy: DENY_ONLY, steps: [text] })
  const run = await home.run({
    project: first.project,
    prompt: '/compact keep names',
    args: ['--continue'],
    steps: [{ text: '<summary>Short.</summary>' }],
  })
  const kinds = (await run.entriesWhen(hasKinds(['pre_compact']))).map(({ kind }) => kind)
  return [['the ledger has PreCompact', kinds.filter(kind => kind === 'pre_compact').length === 1, kinds]]
}

/** Each event comes on both lines. */
async function bothFiles(home) {
  home.belay(['install', 'claude-code'])
  const run = await home.run({ policy: DENY_ONLY, steps: [touch('denied'), touch('allowed'), text] })
  const entries = await run.entriesWhen(hasKinds(['session_end']))
  home.belay(['uninstall', 'claude-code'])
  const count = kind => entries.filter(entry => entry.kind === kind).length
  return [
    ['a denied call does not run', !run.has('denied')],
    ['an allowed one does', run.has('allowed')],
    ['each is judged once', count('pre_tool_use') === 2, entries],
    ['and its result recorded once', count('post_tool_use') === 1, entries],
    ['a prompt too', count('user_prompt_submit') === 1, entries],
  ]
}

async function nothingLeft(home) {
  home.breakClient()
  const run = await home.run({ policy: DENY_ONLY, steps: [touch('allowed'), text] })
  return [
    ['no call runs unguarded', !run.has('allowed'), run],
    ['the agent still ends', run.code === 0 || run.code === 1, run.code],
  ]
}

function hasKinds(wanted) {
  return entries => wanted.every(kind => entries.some(entry => entry.kind === kind))
}
