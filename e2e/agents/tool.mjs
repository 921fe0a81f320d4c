// Calls in the forms that single agents have: a command under the name of another tool, a shell that runs on, a field that may be missing, a
// patch that the agent itself applies. Cases as in case.mjs.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { KIT } from '../../scripts/lib/kit.mjs'
import { DENY_ONLY } from './policy.mjs'

const FIXTURES = fileURLToPath(new URL('../../packages/core/src/adapter/fixtures/', import.meta.url))
const text = { text: 'All done.' }
const call = (name, input) => ({ call: { name, input } })
const NO_TASK = DENY_ONLY.replace('      deny:\n', '      deny:\n        - "Task(*)"\n')

export const TOOL_CASES = [
  { name: 'every tool that carries a command is in the table', run: tabled },
  { name: 'a command that is watched', run: watched, agents: agent => ['qwen', 'grok'].includes(agent) },
  { name: 'a sub-agent without its type', run: untyped, agents: agent => ['claude-code', 'codex'].includes(agent) },
  { name: 'a script that starts sub-agents', run: scripted, agents: agent => SCRIPTS[agent] !== undefined },
  { name: 'a shell that runs on', run: running, agents: agent => agent === 'copilot' },
  { name: 'a text that reads a denied file as it is loaded', run: readByText, agents: agent => LOADED[agent] !== undefined },
  { name: 'a sub-agent that brings a server', run: broughtServer, agents: agent => agent === 'copilot' },
  { name: 'a patch of the policy inside a command', run: patchedPolicy, agents: agent => agent === 'codex' },
]

/** Fields that hold what a shell runs, in the agent's own list of its tools; for `task` of opencode and Kilo it is the name of a prompt. */
const COMMAND_FIELD = /^(?:command|commands|cmd|command_?line|shell_?command)$/i

async function tabled(home) {
  const run = await home.run({ policy: DENY_ONLY, steps: [text] })
  const offered = new Map(run.requests.flatMap(KIT.offeredTools).map(({ name, fields }) => [name, fields]))
  const carries = ([name, fields]) => name !== 'task' && fields.some(field => COMMAND_FIELD.test(field))
  const carrying = [...offered].filter(carries).map(([name]) => name)
  const { commands } = JSON.parse(readFileSync(join(FIXTURES, `${home.agent}.json`), 'utf8'))
  const missing = carrying.filter(name => !commands.some(({ tool }) => tool === name))
  return [
    ['the agent offers a shell', carrying.length > 0, [...offered]],
    ['each that carries a command is a row of its fixture', missing.length === 0, missing.map(name => [name, offered.get(name)])],
  ]
}

async function watched(home) {
  const watch = name => call('monitor', { command: `touch ${name} file.txt`, description: 'scripted' })
  const run = await home.run({ policy: DENY_ONLY, steps: [watch('denied'), text] })
  const [first] = await run
    .entriesWhen(entries => entries.some(isAbout('touch denied')))
    .then(entries => entries.filter(isAbout('touch denied')))
  return [
    ['a denied one does not run', !run.has('denied')],
    ['it came to Belay as a command', first?.body.tool === 'Bash' && first.body.rawTool === 'monitor', first],
    ['the model reads why', run.heard.includes('REASON-OF-DENY'), run.heard.slice(-2000)],
  ]
}

async function untyped(home) {
  const first = home.makeProject('')
  home.belay(['genesis', 'init', '--force'], first)
  const free = await launch(home, { policy: DENY_ONLY })
  const ofInit = await launch(home, { project: first })
  const held = await launch(home, { policy: NO_TASK, isHeld: true })
  const [denied] = held.entries().filter(isAbout('say so'))
  return [
    ['it begins where nothing forbids it', free.begins, free.heard.slice(-2000)],
    ['and under the policy that init writes', ofInit.begins, ofInit.heard.slice(-2000)],
    ['and does not where Task is denied', !held.begins, held.heard.slice(-2000)],
    ['which is what Belay said', denied?.body.tool === 'Task' && denied.body.verdict === 'deny', denied],
  ]
}

/** The call of each that starts a sub-agent from a script. */
const SCRIPTS = {
  'claude-code': call('Workflow', { script: "export const meta = { name: 'x', description: 'y' }\nreturn await agent('SUBTASK say so')" }),
  grok: call('workflow', {
    source: { type: 'script', script: 'let meta = #{ name: "x", description: "y" };\nlet said = agent("SUBTASK say so");\nsaid' },
  }),
}

async function scripted(home) {
  const step = SCRIPTS[home.agent]
  const args = home.agent === 'claude-code' ? ['--allowedTools', 'Workflow'] : []
  const free = await launch(home, { policy: DENY_ONLY, step, args })
  const held = await launch(home, { policy: NO_TASK, step, args, isHeld: true })
  const [denied] = held.entries().filter(isAbout('say so'))
  return [
    ['it starts one where nothing forbids it', free.begins, free.heard.slice(-2000)],
    ['and none where Task is denied', !held.begins, held.heard.slice(-2000)],
    ['which is what Belay said', denied?.body.tool === 'Workflow' && denied.body.verdict === 'deny', denied],
  ]
}

/** Some agents go on, and end, while their sub-agents begin. */
async function launch(home, { isHeld = false, step = { task: 'say so', type: null }, ...where }) {
  let begins = false
  const sub = [
    {
      text: 'SUB-AGENT-WAS-HERE',
      before: () => {
        begins = true
      },
    },
  ]
  const wait = async () => {
    for (let tries = 0; !isHeld && tries < 200 && !begins; tries++) await sleep(100)
  }
  const steps = [step, { ...text, before: wait }]
  const run = await home.run({ ...where, prompt: `${KIT.MAIN_MARK} please work`, steps, sub })
  return { ...run, begins }
}

/** To look at a shell that runs, or to end it, is no command; to type into it is one. */
async function running(home) {
  const shellId = 'kept'
  const start = call('bash', { command: 'echo STARTED-IT; sleep 60', description: 'scripted', mode: 'async', shellId })
  const type = call('write_bash', { shellId, input: 'touch denied file.txt{enter}', delay: 1 })
  const run = await home.run({
    policy: DENY_ONLY,
    steps: [start, call('read_bash', { shellId, delay: 1 }), type, call('stop_bash', { shellId }), text],
  })
  const judged = run.entries().filter(({ kind }) => kind === 'pre_tool_use')
  const said = judged.map(({ body }) => `${body.rawTool ?? body.tool} ${body.verdict}`)
  return [
    ['each call is judged', said.join() === 'Bash none,read_bash none,write_bash deny,stop_bash none', said],
    ['the model reads what the shell printed', run.heard.includes('STARTED-IT'), run.heard.slice(-3000)],
    ['and that it was ended', /stopped|terminated|killed/i.test(lastResult(run)), lastResult(run)],
    ['what is typed into it is held', !run.has('denied') && run.heard.includes('REASON-OF-DENY'), run.heard.slice(-3000)],
  ]
}

const lastResult = ({ requests }) => JSON.stringify(requests.at(-1)?.body.messages?.at(-1) ?? '')

/** Text that is taken over by the agent's tool, and how it names a file. */
const LOADED = {
  'claude-code': { tool: 'Skill', path: '.claude/skills/look/SKILL.md', named: file => `@${file}`, args: ['--allowedTools', 'Skill'] },
  qwen: { tool: 'skill', path: '.qwen/commands/look.md', named: file => `@{${file}}`, args: [] },
}

async function readByText(home) {
  const { tool, path, named, args } = LOADED[home.agent]
  const load = async file => {
    const project = home.makeProject(DENY_ONLY.replace('      deny:\n', '      deny:\n        - "Read(secret.txt)"\n'))
    for (const name of ['secret.txt', 'open.txt']) put(join(project, name), `CONTENT-OF-${name}`)
    put(join(project, path), `---\nname: look\ndescription: looks\n---\nLook at ${named(file)} now.\n`)
    return await home.run({ project, args, steps: [call(tool, { skill: 'look' }), text] })
  }
  const held = await load('secret.txt')
  const free = await load('open.txt')
  return [
    ['a denied file is not read', !held.heard.includes('CONTENT-OF-secret.txt'), held.heard.slice(-2000)],
    ['the model reads why', held.heard.includes('read') && held.heard.includes('by itself'), held.heard.slice(-2000)],
    ['another one is', free.heard.includes('CONTENT-OF-open.txt'), free.heard.slice(-2000)],
  ]
}

/** Its description says which program is started with it. */
async function broughtServer(home) {
  const launchIn = async command => {
    const project = home.makeProject(DENY_ONLY.replace('      deny:\n', '      deny:\n        - "Bash(touch *)"\n'))
    const server = `mcp-servers: {own: {type: local, tools: ["*"], command: "${command}", args: [${join(project, 'denied')}, file.txt]}}`
    put(join(project, '.github', 'agents', 'helper.agent.md'), `---\nname: helper\ndescription: helps\n${server}\n---\nYou help.\n`)
    return await launch(home, { project, step: { task: 'say so', type: 'helper' }, isHeld: command === 'touch' })
  }
  const held = await launchIn('touch')
  const free = await launchIn('true')
  return [
    ['a denied program is not started', !held.has('denied')],
    ['nor the sub-agent, and the model reads why', !held.begins && held.heard.includes('by itself'), held.heard.slice(-2000)],
    ['which begins with another one', free.begins, free.heard.slice(-2000)],
  ]
}

function put(path, content) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

/** Codex applies such a patch itself: no program that could be held writes it. */
async function patchedPolicy(home) {
  const patch = ['*** Begin Patch', '*** Update File: .belay/genesis.key', '@@', '-  default: none', '+  default: allow', '*** End Patch']
  const run = await home.run({
    policy: DENY_ONLY,
    steps: [{ shell: `apply_patch <<'EOF'\n${patch.join('\n')}\nEOF` }, { shell: 'touch denied file.txt' }, text],
  })
  return [
    ['the policy is as it was', readFileSync(join(run.project, '.belay', 'genesis.key'), 'utf8') === DENY_ONLY],
    ['a denied call does not run after it', !run.has('denied'), run.heard.slice(-2000)],
    ['both are recorded as denied', run.entries().filter(({ body }) => body.verdict === 'deny').length === 2, run.entries()],
  ]
}

function isAbout(words) {
  return ({ kind, body }) => kind === 'pre_tool_use' && JSON.stringify(body).includes(words)
}
