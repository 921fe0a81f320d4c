// What each agent must do under Belay. A case runs the real agent once and gives a list of [what must hold, whether it does].
import { rmSync } from 'node:fs'
import { SDK_CASES } from './agent-sdk.mjs'
import { BORROWED_CASES } from './borrowed.mjs'
import { MCP_CASES } from './mcp.mjs'
import { OVERFLOW_CASES } from './overflow.mjs'
import { BROKEN, DENY_ONLY, FULL, STOP_ALWAYS, STOP_ONCE } from './policy.mjs'
import { SELF_CASES } from './self.mjs'

const touch = name => ({ shell: `touch ${name} file.txt` })
const text = { text: 'All done.' }

/** What an agent cannot do, so that nobody waits for it. Measured, see the quirk table. */
const CANNOT = {
  rewrite: ['qwen'],
  contextAtStart: ['qwen', 'opencode', 'kilo', 'pi', 'grok'],
  contextAtPrompt: ['grok'],
  sessionEvents: ['qwen'],
  sessionEnd: ['qwen', 'opencode', 'kilo'],
  failureEvent: ['codex'],
  stopBlock: ['opencode', 'kilo', 'pi'],
  promptBlockQuietly: ['opencode', 'kilo'],
  otherModel: ['opencode', 'kilo', 'pi', 'grok'],
}
const can = (agent, what) => !CANNOT[what].includes(agent)

export const CASES = [
  { name: 'one session with every kind of answer', run: wholeSession },
  { name: 'a blocked prompt', run: blockedPrompt },
  { name: 'a stop that is blocked once', run: blockedStop, agents: agent => can(agent, 'stopBlock') },
  { name: "the agent's cap on blocked stops", run: stopCap, agents: agent => agent === 'claude-code' },
  { name: 'a sub-agent', run: subagent, agents: agent => agent === 'claude-code' },
  { name: 'compaction', run: compaction, agents: agent => agent === 'claude-code' },
  { name: 'doctor starts the agent itself', run: doctor, agents: agent => can(agent, 'otherModel') },
  ...OVERFLOW_CASES,
  ...MCP_CASES,
  ...SDK_CASES,
  ...SELF_CASES,
  ...BORROWED_CASES,
  { name: 'a broken policy', run: brokenPolicy },
  { name: 'the daemon is killed in the middle', run: killedDaemon },
  { name: 'the daemon hangs', run: hungDaemon },
  { name: 'neither the daemon nor the fallback', run: nothingLeft },
  { name: 'the hook client is gone', run: missingClient },
]

async function wholeSession(home) {
  const { agent } = home
  const run = await home.run({
    policy: FULL,
    steps: [
      touch('allowed'),
      touch('denied'),
      touch('asked'),
      { shell: 'echo original > original.txt' },
      { shell: 'echo context please' },
      { shell: 'exit 7' },
      text,
    ],
  })
  const wanted = [
    'user_prompt_submit',
    'stop',
    ...(can(agent, 'failureEvent') ? ['post_tool_use_failure'] : []),
    ...(can(agent, 'sessionEvents') ? ['session_start'] : []),
    ...(can(agent, 'sessionEnd') ? ['session_end'] : []),
    ...(agent === 'gemini' ? ['pre_compact'] : []),
  ]
  const entries = await run.entriesWhen(hasKinds(wanted))
  const before = entries.filter(({ kind }) => kind === 'pre_tool_use')
  const verdicts = before.map(({ body }) => body.verdict)
  const failed = entries.filter(({ kind }) => kind === 'post_tool_use_failure')
  return [
    ['the agent ends well', run.code === 0, run],
    ['an allowed call runs', run.has('allowed')],
    ['a denied call does not', !run.has('denied')],
    ['the model reads why', run.heard.includes('REASON-OF-DENY')],
    ['an asked call does not run where nobody can answer', !run.has('asked')],
    ['the model reads how a person approves', /belay(?:\.cjs)? approvals/.test(run.heard)],
    can(agent, 'rewrite')
      ? ['a rewritten call runs rewritten', run.has('rewritten.txt') && !run.has('original.txt')]
      : ['a rewrite that the agent cannot take stops the call', !run.has('rewritten.txt') && !run.has('original.txt')],
    ...(can(agent, 'contextAtStart') ? [['context at the start arrives', run.heard.includes('CONTEXT-AT-START')]] : []),
    ...(can(agent, 'contextAtPrompt') ? [['context at the prompt arrives', run.heard.includes('CONTEXT-AT-PROMPT')]] : []),
    ['context after a tool arrives', run.heard.includes('CONTEXT-AFTER-TOOL')],
    [
      'the ledger has every call with its verdict',
      verdicts.map(verdict => /deny|ask/.test(verdict)).join() === 'false,true,true,false,false,false',
      verdicts,
    ],
    [
      'the ledger has what the agent was told',
      /belay(?:\.cjs)? approvals/.test(JSON.stringify(before[2]?.body.answer ?? '')),
      before[2]?.body,
    ],
    ['the ledger has the rewrite', JSON.stringify(before[3]?.body ?? {}).includes('rewrite'), before[3]?.body],
    ...(can(agent, 'failureEvent') ? [['a failing tool is recorded as one', failed.length === 1, entries.map(({ kind }) => kind)]] : []),
    ...(can(agent, 'sessionEvents') ? [['the session begins in the ledger', entries.some(({ kind }) => kind === 'session_start')]] : []),
    ...(can(agent, 'sessionEnd')
      ? [['the session ends in the ledger', entries.some(({ kind }) => kind === 'session_end'), entries.map(({ kind }) => kind)]]
      : []),
    [
      'the prompt and the stop are in the ledger',
      ['user_prompt_submit', 'stop'].every(wanted => entries.some(({ kind }) => kind === wanted)),
      entries.map(({ kind }) => kind),
    ],
    ...(agent === 'gemini' ? [['PreCompress is in the ledger', entries.some(({ kind }) => kind === 'pre_compact')]] : []),
  ]
}

async function blockedPrompt(home) {
  const run = await home.run({ policy: FULL, prompt: 'something FORBIDDEN', steps: [touch('allowed'), text] })
  const blocked = run.entries().filter(({ kind, body }) => kind === 'user_prompt_submit' && body.verdict === 'deny')
  return [
    ['the model never hears of it', !run.heard.includes('something FORBIDDEN'), run.heard.slice(0, 500)],
    ['nothing runs', !run.has('allowed')],
    ['the ledger has the block', blocked.length === 1],
  ]
}

async function blockedStop(home) {
  const run = await home.run({ policy: STOP_ONCE, steps: [text, touch('allowed'), text] })
  const stops = run.entries().filter(({ kind }) => kind === 'stop')
  // Qwen says stop_hook_active already the first time, so nothing is blocked there.
  if (home.agent === 'qwen') return [['the stop is recorded', stops.length >= 1]]
  return [
    ['the model reads why it goes on', run.heard.includes('GO-ON-PLEASE'), run],
    ['it does go on', run.has('allowed')],
    // Gemini takes a turn that used a tool for a new one and says stop_hook_active only after that.
    [
      'the ledger has the block and the end',
      stops[0]?.body.verdict === 'deny' && stops.at(-1)?.body.verdict === 'none',
      stops.map(({ body }) => body),
    ],
  ]
}

async function stopCap(home) {
  const run = await home.run({ policy: STOP_ALWAYS, steps: [text] })
  const stops = run.entries().filter(({ kind }) => kind === 'stop')
  return [
    ['the agent ends in spite of the policy', run.code === 0, run],
    ['after no more than nine stops', stops.length > 1 && stops.length <= 9, stops.length],
  ]
}

async function subagent(home) {
  const run = await home.run({ policy: DENY_ONLY, steps: [{ task: 'do it' }, text], sub: [touch('denied'), touch('allowed'), text] })
  const kinds = (await run.entriesWhen(hasKinds(['subagent_start', 'subagent_stop']))).map(({ kind }) => kind)
  return [
    ['its denied call does not run', !run.has('denied'), run],
    ['its other call does', run.has('allowed')],
    ['the ledger has its beginning and end', kinds.includes('subagent_start') && kinds.includes('subagent_stop'), kinds],
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

async function doctor(home) {
  const project = home.makeProject(DENY_ONLY)
  const { findings } = home.doctor(project)
  const trust = findings.find(({ check }) => check === 'trust')
  // Nobody has reviewed the hook in this Codex, so it runs none, which is what doctor is there to find.
  return home.agent === 'codex'
    ? [['it finds that the agent does not ask', trust?.state === 'fail' && trust.message.includes('did not ask'), findings]]
    : [['it finds that the agent asks', trust?.state === 'ok' && trust.message.includes('itself asked'), findings]]
}

async function brokenPolicy(home) {
  const run = await home.run({ policy: BROKEN, isTrusted: false, steps: [touch('allowed'), text] })
  return [
    ['no call runs', !run.has('allowed'), run],
    ['the model reads where the policy is broken', /genesis\.key/.test(run.heard)],
  ]
}

async function killedDaemon(home) {
  const steps = [touch('allowed'), { ...touch('denied'), before: () => home.signal('SIGKILL') }, touch('after'), text]
  const run = await home.run({ policy: DENY_ONLY, steps })
  const spooled = home.spooled()
  home.up()
  const isAlone = ({ body }) => body.daemon === 'down' && body.verdict === 'deny'
  const entries = await run.entriesWhen(found => found.some(isAlone))
  return [
    ['the call before runs', run.has('allowed'), run],
    ['the denied call does not run', !run.has('denied')],
    ['the model reads why', run.heard.includes('REASON-OF-DENY')],
    ['an allowed call still runs', run.has('after')],
    ['events wait in the spool', spooled > 0],
    [
      'and are in the ledger once it is back',
      entries.filter(isAlone).length === 1,
      entries.map(({ kind, body }) => [kind, body.verdict, body.daemon]),
    ],
  ]
}

async function hungDaemon(home) {
  const steps = [
    touch('allowed'),
    { ...touch('denied'), before: () => home.signal('SIGSTOP') },
    { ...text, before: () => home.signal('SIGCONT') },
  ]
  try {
    const run = await home.run({ policy: DENY_ONLY, steps })
    return [
      ['the call before runs', run.has('allowed'), run],
      ['the denied call does not run', !run.has('denied')],
      ['the model reads why', run.heard.includes('REASON-OF-DENY')],
    ]
  } finally {
    home.signal('SIGCONT')
  }
}

async function nothingLeft(home) {
  home.breakClient()
  const run = await home.run({ policy: DENY_ONLY, steps: [touch('allowed'), text] })
  return [
    ['no call runs unguarded', !run.has('allowed'), run],
    ['the agent still ends', run.code === 0 || run.code === 1, run.code],
  ]
}

async function missingClient(home) {
  rmSync(home.shim)
  const run = await home.run({ policy: DENY_ONLY, steps: [touch('allowed'), text] })
  return [['no call runs unguarded', !run.has('allowed'), run]]
}

function hasKinds(wanted) {
  return entries => wanted.every(kind => entries.some(entry => entry.kind === kind))
}
