// A daemon that is gone, or whose home was made anew, and a policy that changes a moment before a call. Cases as in case.mjs.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ASK_ONLY, DENY_ONLY } from './policy.mjs'

const text = { text: 'All done.' }
const touch = name => ({ shell: `touch ${name} file.txt` })

export const DAEMON_CASES = [
  { name: 'an ask while there is no daemon', run: askedAlone },
  { name: 'a deny that is added a moment before a call', run: addedLate },
  { name: 'a home that is removed and made anew', run: newHome },
]

async function askedAlone(home) {
  home.down()
  const run = await home.run({ policy: ASK_ONLY, steps: [touch('asked'), text] })
  home.up()
  const ours = () => JSON.parse(home.belay(['approvals', '--json'], run.project)).requests.filter(({ root }) => root === run.project)
  for (let tries = 0; tries < 100 && ours().length === 0; tries++) await sleep(100)
  const [request, ...others] = ours()
  return [
    ['the call does not run', !run.has('asked')],
    ['it waits in the queue once the daemon is back', request?.state === 'pending' && others.length === 0, ours()],
    ['with its command', JSON.stringify(request?.input ?? '').includes('touch asked file.txt'), request],
  ]
}

/** Cline ends its run where a call is refused. */
const roundsOf = agent => (agent === 'cline' ? 1 : 5)

/** Each time another call has just made the daemon look at the file. */
async function addedLate(home) {
  const project = home.makeProject(DENY_ONLY)
  const add = round => () =>
    writeFileSync(
      join(project, '.belay', 'genesis.key'),
      DENY_ONLY.replace(
        'deny:\n',
        `deny:\n${Array.from({ length: round + 1 }, (_, at) => `        - "Bash(touch late-${at} *)"\n`).join('')}`,
      ),
    )
  const rounds = Array.from({ length: roundsOf(home.agent) }, (_, at) => at)
  const steps = rounds.flatMap(at => [touch(`early-${at}`), { ...touch(`late-${at}`), before: add(at) }])
  const run = await home.run({ project, policy: DENY_ONLY, steps: [...steps, text] })
  const denied = run.entries().flatMap(({ kind, body }) => (kind === 'pre_tool_use' && body.verdict === 'deny' ? [body] : []))
  return [
    ['a call before it runs', run.has('early-0'), run.heard.slice(-2000)],
    ['each came, and was denied', rounds.every(at => denied.some(body => JSON.stringify(body).includes(`touch late-${at} `))), denied],
    ['none runs', rounds.every(at => !run.has(`late-${at}`)), rounds.filter(at => run.has(`late-${at}`))],
  ]
}

async function newHome(home) {
  const pid = () => JSON.parse(home.belay(['status', '--json'])).pid
  const first = pid()
  rmSync(home.belayHome, { recursive: true })
  home.belay(['install', home.agent])
  home.up()
  for (let tries = 0; tries < 100 && isAlive(first); tries++) await sleep(100)
  const run = await home.run({ policy: DENY_ONLY, steps: [touch('allowed'), touch('denied'), text] })
  const calls = ({ kind }) => kind === 'pre_tool_use'
  const entries = await run.entriesWhen(found => found.filter(calls).length === 2)
  return [
    ['another daemon serves it', pid() !== first, first],
    ['the old one ended itself', !isAlive(first), first],
    ['a denied call does not run', !run.has('denied')],
    ['an allowed one does', run.has('allowed'), run.heard.slice(-2000)],
    ['both are in the new record', entries.filter(calls).length === 2, entries],
  ]
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
