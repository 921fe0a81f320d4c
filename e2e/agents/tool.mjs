// Calls in the forms that single agents have: a command under the name of another tool, a field that may be missing. Cases as in case.mjs.
import { KIT } from '../../scripts/lib/kit.mjs'
import { DENY_ONLY } from './policy.mjs'

const text = { text: 'All done.' }
const call = (name, input) => ({ call: { name, input } })
const NO_TASK = DENY_ONLY.replace('      deny:\n', '      deny:\n        - "Task(*)"\n')

export const TOOL_CASES = [
  { name: 'a command that is watched', run: watched, agents: agent => ['qwen', 'grok'].includes(agent) },
  { name: 'a sub-agent without its type', run: untyped, agents: agent => agent === 'claude-code' },
]

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
  const steps = [call('Agent', { description: 'scripted', prompt: 'SUBTASK say so' }), text]
  const sub = [{ text: 'SUB-AGENT-WAS-HERE' }]
  const prompt = `${KIT.MAIN_MARK} please work`
  const free = await home.run({ policy: DENY_ONLY, prompt, steps, sub })
  const held = await home.run({ policy: NO_TASK, prompt, steps, sub })
  const begins = ({ requests }) => requests.some(({ isSub }) => isSub)
  return [
    ['it begins where nothing forbids it', begins(free), free.heard.slice(-2000)],
    ['and does not where Task is denied', !begins(held), held.heard.slice(-2000)],
  ]
}

function isAbout(words) {
  return ({ kind, body }) => kind === 'pre_tool_use' && JSON.stringify(body).includes(words)
}
