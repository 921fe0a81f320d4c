// The beginning and the end of a turn: prompts that are refused, and a stop that is not accepted.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Case, holds, ignored, obeyed, ran, type Seen, unreached, untried } from '../case.ts'
import { SUB_MARK } from '../offered-tool.ts'
import { DONE, PLAIN_POLICY, type Scene, touch } from './scene.ts'

const PROMPT_POLICY = `version: "2.0"
hooks:
  user_prompt_submit:
    - type: deny
      condition: 'event.prompt.contains("FORBIDDEN")'
      config: { reason: "PROMPT-REFUSED" }
permissions:
  default: none
  actors:
    "agent:*":
      deny: ["Read(private.txt)"]
`

const STOP_POLICY = `version: "2.0"
hooks:
  stop:
    - type: command
      config: { command: "test -e stopped-once || { touch stopped-once; echo GO-ON-PLEASE >&2; exit 2; }" }
`

const isRefused = ({ entries }: Seen): boolean => entries.some(({ kind, body }) => kind === 'user_prompt_submit' && body.verdict === 'deny')

function checkPrompt(text: string): Case['check'] {
  return seen => {
    if (seen.heard.includes(text)) return ignored('the model heard it')
    if (seen.has('allowed')) return ignored('the agent went on all the same')
    return holds(isRefused(seen), 'the prompt did not come to Belay')
  }
}

const lacksPrompt: Case['lacks'] = ({ agent }) => (agent.can.blockPrompt ? null : `${agent.name} lets no hook refuse a prompt`)

export const PROMPT: Scene = {
  title: 'a prompt that is refused',
  cases: [
    {
      id: 'prompt-block',
      title: 'a refused prompt does not reach the model',
      lacks: lacksPrompt,
      check: checkPrompt('something FORBIDDEN'),
    },
  ],
  run: ({ scratch, play }) =>
    play({ project: scratch.makeProject(PROMPT_POLICY), prompt: 'something FORBIDDEN', steps: [touch('allowed'), DONE] }),
}

export const PROMPT_FILE: Scene = {
  title: 'a prompt that names a denied file',
  cases: [
    {
      id: 'prompt-file',
      title: 'a file that may not be read does not come in by @file either',
      lacks: lacksPrompt,
      check: checkPrompt('PRIVATE-TEXT'),
    },
  ],
  run: ({ scratch, play }) =>
    play({
      project: scratch.makeProject(PROMPT_POLICY),
      prompt: 'look at @private.txt please',
      files: { 'private.txt': 'PRIVATE-TEXT\n' },
      steps: [touch('allowed'), DONE],
    }),
}

export const STOP: Scene = {
  title: 'a stop that is not accepted',
  cases: [
    {
      id: 'stop-block',
      title: 'an agent that may not stop yet reads why, and goes on',
      lacks: ({ agent }) => (agent.can.continueAtStop ? null : `${agent.name} tells of a stop when it is over`),
      check(seen) {
        if (!seen.has('stopped-once')) return ignored('the stop did not come to Belay')
        if (!seen.heard.includes('GO-ON-PLEASE')) return ignored('the model did not read why')
        return ran(seen, 'went-on', 'went-on')
      },
    },
    {
      id: 'stop-end',
      title: 'when it may, it stops',
      check: seen => (seen.isTimedOut ? ignored('it did not end') : obeyed),
    },
  ],
  run: ({ scratch, play }) =>
    play({ project: scratch.makeProject(STOP_POLICY), steps: [{ id: 'first', text: 'All done.' }, touch('went-on'), DONE] }),
}

const TASK_POLICY = PLAIN_POLICY.replace('      deny:\n', '      deny:\n        - "Task(*)"\n')

/** Some agents go on while their sub-agents work. */
const SUB_MS = 30_000
const POLL_MS = 100

export const SUB_AGENT: Scene = {
  title: 'a sub-agent',
  cases: [
    {
      id: 'sub-deny',
      title: 'a denied call of a sub-agent does not run',
      check(seen) {
        const early = unreached(seen, 'task') ?? unreached(seen, 'sub-denied')
        return early ?? (seen.has('denied') ? ignored('it ran') : obeyed)
      },
    },
    { id: 'sub-allow', title: 'its allowed calls run', check: seen => unreached(seen, 'task') ?? ran(seen, 'sub-allowed', 'allowed') },
    {
      id: 'sub-events',
      title: 'its beginning and end are sent',
      lacks: ({ agent }) => (Object.values(agent.events).includes('SubagentStart') ? null : `${agent.name} has no such events`),
      check(seen) {
        const kinds = seen.entries.map(({ kind }) => kind)
        const early = unreached(seen, 'task') ?? unreached(seen, 'sub-allowed')
        return early ?? holds(kinds.includes('subagent_start') && kinds.includes('subagent_stop'), 'they did not come')
      },
    },
    {
      id: 'sub-task-deny',
      title: 'a denied sub-agent does not begin',
      check(seen) {
        const early = unreached(seen, 'task-denied')
        if (early !== null) return early
        if (seen.heardBelow.includes(SECOND)) return ignored('it began')
        const isDenied = seen.entries.some(
          ({ kind, body }) => kind === 'pre_tool_use' && body.verdict === 'deny' && JSON.stringify(body).includes(SUB_MARK),
        )
        return isDenied ? obeyed : untried('it did not begin, and did not come to Belay either')
      },
    },
  ],
  run: ({ scratch, play, agent, headless }) => {
    const project = scratch.makeProject(PLAIN_POLICY)
    const calls = [touch('sub-denied', 'denied'), touch('sub-allowed', 'allowed')]
    const task = (id: string, text: string) => ({ id, calls: [{ task: text, type: headless.subAgent }] })
    return play({
      project,
      steps: [
        task('task', 'do it'),
        { ...touch('after-sub'), before: () => waitForSub(project) },
        { ...task('task-denied', SECOND), before: () => scratch.changePolicy(project, TASK_POLICY) },
        DONE,
      ],
      sub: [...(agent.endsAtDeny ? calls.reverse() : calls), { text: 'The sub-task is done.' }],
    })
  },
}

/** What the second sub-agent would be told. */
const SECOND = 'SECOND-TASK'

async function waitForSub(project: string): Promise<void> {
  for (let waited = 0; waited < SUB_MS && !existsSync(join(project, 'allowed')); waited += POLL_MS)
    await sleep(POLL_MS, undefined, { ref: false })
}
