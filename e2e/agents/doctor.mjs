// What `belay doctor` says of an agent is so: that it calls, which version it is, which calls of its last session Belay never saw. Cases as in
// case.mjs.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { KIT } from '../../scripts/lib/kit.mjs'
import { DENY_ONLY } from './policy.mjs'

const text = { text: 'All done.' }

/** Those that write a transcript and tell their hooks where it is; of the others that have one it is named. */
const TELLS_TRANSCRIPT = ['claude-code', 'codex', 'gemini', 'qwen']
const HAS_TRANSCRIPT = [...TELLS_TRANSCRIPT, 'copilot', 'pi']

const isCodex = agent => agent === 'codex'

export const DOCTOR_CASES = [
  { name: 'doctor starts the agent itself', run: started, agents: agent => KIT.HOST_AGENTS[agent].trial !== null },
  { name: 'doctor after a session', run: afterSession },
  { name: 'doctor names what was typed into a running command', run: typedInto, agents: isCodex },
  { name: 'doctor on JavaScript that makes calls', run: inCode, agents: isCodex },
]

const findingOf = ({ findings }, check) => findings.find(finding => finding.agent !== null && finding.check === check)

async function started(home) {
  const said = home.doctor(home.makeProject(DENY_ONLY))
  const trust = findingOf(said, 'trust')
  // Nobody has reviewed the hook in this Codex, so it runs none, which is what doctor is there to find.
  return home.agent === 'codex'
    ? [['it finds that the agent does not ask', trust?.state === 'fail' && trust.message.includes('did not ask'), said]]
    : [['it finds that the agent asks', trust?.state === 'ok' && trust.message.includes('itself asked'), said]]
}

async function afterSession(home) {
  const run = await home.run({ policy: DENY_ONLY, steps: [{ shell: 'touch seen file.txt' }, text] })
  await run.entriesWhen(entries => entries.some(({ kind }) => kind === 'post_tool_use'))
  const isNamed = HAS_TRANSCRIPT.includes(home.agent) && !TELLS_TRANSCRIPT.includes(home.agent)
  const up = home.doctor(run.project, ['--no-live', ...(isNamed ? ['--transcript', findTranscript(home.home)] : [])])
  home.down()
  const down = home.doctor(run.project, ['--no-live'])
  home.up()
  const hasCalled = said => findingOf(said, 'trust')?.message.startsWith('the agent itself has called, last at')
  const unseen = findingOf(up, 'unseen calls')
  return [
    ['the agent has called', hasCalled(up), up],
    ['which is known without the daemon too', hasCalled(down), down],
    ['its version is named', findingOf(up, 'version')?.message.includes(home.version), up],
    HAS_TRANSCRIPT.includes(home.agent)
      ? ['its transcript was compared', unseen?.state === 'ok' && /^all \d+ calls of /.test(unseen.message), unseen ?? 'it was not']
      : ['nothing is said of a transcript', unseen === undefined, up],
  ]
}

/** The only one: the home is new. */
function findTranscript(home) {
  const [found] = readdirSync(home, { recursive: true }).filter(name => name.endsWith('.jsonl'))
  return join(home, found)
}

/** Codex sends no hook for it, so that nothing can hold it. */
async function typedInto(home) {
  const run = await home.run({
    policy: DENY_ONLY,
    steps: [
      { call: { name: 'exec_command', input: { cmd: 'cat', tty: true, yield_time_ms: 500 } } },
      { call: typeInto },
      { call: { name: 'exec_command', input: { cmd: 'touch seen file.txt' } } },
      text,
    ],
  })
  await run.entriesWhen(entries => entries.some(({ body }) => JSON.stringify(body).includes('touch seen')))
  const unseen = findingOf(home.doctor(run.project, ['--no-live']), 'unseen calls')
  return [
    ['it was typed', /Output:.*TYPED-IN/.test(run.heard), run.heard.slice(-3000)],
    ['doctor names it, and nothing else', unseen?.state === 'warn' && /ledger: write_stdin \(line \d+\)$/.test(unseen.message), unseen],
  ]
}

function typeInto(heard) {
  const session_id = Number(/session ID (\d+)/.exec(heard)?.[1] ?? 0)
  return { name: 'write_stdin', input: { session_id, chars: 'TYPED-IN\n', yield_time_ms: 500 } }
}

/** The calls that the code makes come to Belay one by one; the code itself is none. */
async function inCode(home) {
  const code = names => names.map(name => `await tools.exec_command({ cmd: "touch ${name} file.txt" })`).join('\n')
  const run = await home.run({
    policy: DENY_ONLY,
    prompt: `${KIT.MAIN_MARK} please work`,
    args: ['-c', 'features.code_mode_only=true'],
    steps: [{ call: { name: 'exec', text: code(['allowed']) } }, { call: { name: 'exec', text: code(['denied']) } }, text],
  })
  await run.entriesWhen(entries => entries.some(({ body }) => JSON.stringify(body).includes('touch denied')))
  const unseen = findingOf(home.doctor(run.project, ['--no-live']), 'unseen calls')
  return [
    ['an allowed call of the code runs', run.has('allowed'), run.heard.slice(-3000)],
    ['a denied one does not', !run.has('denied')],
    ['doctor misses none', unseen?.state !== 'warn', unseen],
  ]
}
