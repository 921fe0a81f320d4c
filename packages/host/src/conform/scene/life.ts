// A session that lives on: taken up again after its end, and compacted when its window is full.
import { type Case, type Finding, hasKind, holds, lacksEvent, ran, refused, type Seen, unreached, untried } from '../case.ts'
import { SUMMARY } from '../scripted-model.ts'
import { DONE, PLAIN_POLICY, type Scene, touch } from './scene.ts'

const FIRST = 'FIRST-PROMPT'

/** Nothing can be said of a session that did not go on. */
const inResumed =
  (check: Case['check']): Case['check'] =>
  seen =>
    seen.heard.includes(FIRST) ? check(seen) : (unreached(seen, 'allowed') ?? untried('the agent began a new session'))

function checkSession({ entries }: Seen): Finding {
  const sessions = new Set(entries.filter(({ kind }) => kind === 'pre_tool_use').map(({ body }) => body.session))
  return holds(sessions.size === 1, `it stands under ${sessions.size} sessions`)
}

export const RESUME: Scene = {
  title: 'a session that is taken up again',
  whyNot: ({ agent, headless }) => (headless.resume === null ? `nobody has seen ${agent.name} take up a session without a person` : null),
  cases: [
    {
      id: 'resume-deny',
      title: 'in a session that is taken up again a denied call does not run',
      check: inResumed(seen => refused(seen, { step: 'denied', trace: 'denied' })),
    },
    { id: 'resume-allow', title: 'an allowed one does', check: inResumed(seen => ran(seen, 'allowed', 'allowed')) },
    {
      id: 'resume-record',
      title: 'its calls stand under the session that it was',
      lacks: ({ agent }) => (agent.hasSession ? null : `${agent.name} names no session`),
      check: inResumed(checkSession),
    },
  ],
  async run({ scratch, play }) {
    const project = scratch.makeProject(PLAIN_POLICY)
    await play({ project, prompt: FIRST, steps: [touch('before'), DONE] })
    return play({ project, how: 'resume', steps: [touch('allowed'), touch('denied'), DONE] })
  },
}

const inCompacted =
  (check: Case['check']): Case['check'] =>
  seen =>
    unreached(seen, 'allowed') ?? (seen.heard.includes(SUMMARY) ? check(seen) : untried('the agent did not compact'))

export const COMPACTION: Scene = {
  title: 'a window that is full',
  whyNot: ({ agent, headless }) => (headless.fullAt === null ? `nobody has made ${agent.name} compact without a person` : null),
  cases: [
    {
      id: 'compact-event',
      title: 'PreCompact is sent before the talk is compacted',
      lacks: subject => lacksEvent(subject, 'PreCompact'),
      check: inCompacted(seen => holds(hasKind(seen, 'pre_compact'), 'it did not come')),
    },
    {
      id: 'compact-deny',
      title: 'after that a denied call does not run',
      check: inCompacted(seen => refused(seen, { step: 'denied', trace: 'denied' })),
    },
    { id: 'compact-allow', title: 'an allowed one does', check: inCompacted(seen => ran(seen, 'allowed', 'allowed')) },
  ],
  async run({ scratch, play, headless }) {
    const project = scratch.makeProject(PLAIN_POLICY)
    // Some compact only what came before the last prompt, and only where it is worth it.
    await play({ project, prompt: 'many words '.repeat(2000), steps: [touch('before'), DONE] })
    const full = { ...touch('full'), tokens: headless.fullAt ?? 0 }
    return play({ project, how: 'resume', steps: [full, touch('allowed'), touch('denied'), DONE] })
  },
}
