// What the whole decision about one shell text costs in processor time, under a policy with rules of every kind.
import { pathToFileURL } from 'node:url'

const dist = process.env.BELAY_CORE_DIST ? pathToFileURL(process.env.BELAY_CORE_DIST) : new URL('../../packages/core/dist', import.meta.url)
const { compileRules, judge, parseRule } = await import(`${dist}/policy/index.js`)
const { analyzeCommand } = await import(`${dist}/match/shell/analyze-command.js`)
const { MAX_WORK, Meter } = await import(`${dist}/match/shell/meter.js`)
const { virtualFileView } = await import(`${dist}/match/path/virtual-file-view.js`)

export const BUDGET_MS = 50

const place = { root: '/repo', cwd: '/repo', home: '/home/dev' }
const context = { ...place, files: virtualFileView({ root: '/repo' }).files, belayHome: '/home/dev/.belay', selfProtection: true }
const compiled = compileRules({
  allow: rules('allow', ['Bash(git *)', 'Bash(ls *)', 'Bash(npm run *)', 'Write(src/*)', 'Read(*)']),
  deny: rules('deny', ['Bash(rm -rf *)', 'Bash(git push --force *)', 'Bash(curl * | sh)', 'Write(.env*)', 'Read(**/.ssh/**)']),
  ask: rules('ask', ['Bash(sudo *)']),
  default: 'ask',
  hash: 'bench',
})

function rules(effect, texts) {
  return texts.map(text => parseRule(text, { effect, dialect: 'genesis', id: text }).rule)
}

export function decide(command) {
  return judge({ tool: 'Bash', input: { command } }, compiled, context).verdict.decision
}

/** The part of the budget that this text takes; more than 1 where it is refused for that. */
export function shareOfWork(command) {
  const meter = new Meter()
  judge({ tool: 'Bash', input: { command } }, compiled, context, meter)
  return meter.spent / MAX_WORK
}

export function analyze(command) {
  return analyzeCommand(command, place)
}

/** The least of several turns: it is the text that is to be slow here, not the machine. */
export function leastMs(run, turns) {
  let least = Number.POSITIVE_INFINITY
  for (let turn = 0; turn < turns && !(turn > 1 && least > 500); turn++) least = Math.min(least, costMs(run))
  return least
}

export function costMs(run) {
  const started = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(started)
  return (user + system) / 1000
}
