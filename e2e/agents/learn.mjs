// What an agent did under its own eyes becomes rules: by `belay learn` from the ledger, and from what the agent itself wrote down, for
// somebody who has no ledger yet. Cases as in case.mjs.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { virtualFileView } from '../../packages/core/dist/match/index.js'
import { compileRules, createJudge, effectivePermissions, parseGenesis } from '../../packages/core/dist/policy/index.js'
import { DENY_ONLY } from './policy.mjs'

const NUMBERS = Array.from({ length: 14 }, (_, at) => at)
const USED = NUMBERS.flatMap(at => [`mkdir -p out/folder-${at}`, `touch out/file-${at}`, `git add out/file-${at}`])
/** Code is another one each time: never a rule for the interpreter. */
const CODE = `node -e 'console.log(1)'`
const REFUSED = ['touch denied file.txt', 'touch denied other.txt']

export const LEARN_CASES = [{ name: 'rules from what was used', run: learn, agents: agent => agent === 'claude-code' || agent === 'codex' }]

async function learn(home) {
  const steps = [...USED, CODE, ...REFUSED].map(shell => ({ shell }))
  const run = await home.run({ policy: DENY_ONLY, steps: [...steps, { text: 'All done.' }], limitMs: 300_000 })
  await run.entriesWhen(entries => entries.filter(({ kind }) => kind === 'post_tool_use').length > USED.length)
  const said = [...check('the ledger', home, run.project, []), ...check('the transcript', home, run.project, ['--from-transcripts'])]
  return [...said, ...write(home, run.project)]
}

function check(source, home, project, options) {
  const { rules, left, used, refused } = JSON.parse(home.belay(['learn', '--json', ...options], project))
  const texts = rules.map(({ rule }) => rule)
  const decide = judgeBy(texts)
  return [
    [`${source}: all calls are seen`, used === USED.length + 1 && refused === REFUSED.length, { used, refused }],
    [`${source}: everything that was used is allowed`, USED.every(command => decide(command) === 'allow'), texts],
    [`${source}: nothing that was denied is`, REFUSED.every(command => decide(command) !== 'allow'), texts],
    [`${source}: a tenth of the rules of a list`, texts.length > 0 && texts.length <= USED.length / 10, texts],
    [
      `${source}: no interpreter, and the call that needs one is named`,
      !texts.some(text => text.includes('node')) && left.length === 1,
      left,
    ],
    [`${source}: no bypass of the permission cases becomes allowed`, allowedCases(texts).length === 0, allowedCases(texts)],
  ]
}

/** Only after a yes, with a diff; then everything that was used is allowed by the policy of the project. */
function write(home, project) {
  const file = `${project}/.belay/genesis.key`
  const before = readFileSync(file, 'utf8')
  const answer = input =>
    spawnSync(process.execPath, [home.belayProgram, 'learn', '--write'], {
      cwd: project,
      env: { PATH: process.env.PATH, HOME: home.home, BELAY_HOME: home.belayHome },
      encoding: 'utf8',
      input,
    })
  const no = answer('n\n')
  const isUntouched = readFileSync(file, 'utf8') === before
  const yes = answer('y\n')
  const again = JSON.parse(home.belay(['learn', '--json'], project))
  return [
    ['a no leaves the policy as it is', no.status === 1 && isUntouched, no],
    ['a yes shows the diff and adds the rules', yes.status === 0 && /^\+.*Bash\(/m.test(yes.stderr), yes],
    ['then nothing is left to learn', again.rules.length === 0, again],
  ]
}

function judgeOf({ allow, deny = [], ctx = {} }) {
  const rules = JSON.stringify({ deny, allow })
  const parsed = parseGenesis(`version: "2.0"\npermissions: {default: ask, actors: {"agent:*": ${rules}}}\n`, 'learned.key')
  const view = virtualFileView({ root: '/repo', ...ctx })
  if (!parsed.ok || !view.ok) throw new Error('the learned rules do not parse')
  const judge = createJudge(compileRules(effectivePermissions([{ ...parsed.policy, trusted: true }], 'agent:a')), { cacheSize: 0 })
  const context = { root: '/repo', cwd: '/repo', home: '/home/dev', files: view.files, belayHome: '/home/dev/.belay', selfProtection: true }
  return call => judge(call, context).verdict.decision
}

function judgeBy(allow) {
  const decide = judgeOf({ allow, deny: ['Bash(touch denied *)'] })
  return command => decide({ tool: 'Bash', input: { command } })
}

function allowedCases(allow) {
  const file = new URL('../../packages/core/src/policy/fixtures/permission-cases.jsonl', import.meta.url)
  const cases = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  return cases
    .filter(({ expected, tool, input, deny, ctx }) => expected === 'deny' && judgeOf({ allow, deny, ctx })({ tool, input }) === 'allow')
    .map(({ id }) => id)
}
