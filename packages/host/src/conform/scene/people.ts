// What a person says counts: approved, refused, and waited for; and what the agent would ask its own user.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { decisionAbout, hasKind, holds, ignored, lacksEvent, obeyed, ran, refused, unreached, untried } from '../case.ts'
import { startDecider } from '../decider.ts'
import { DONE, type Scene, touch } from './scene.ts'

const POLICY = `version: "2.0"
permissions:
  default: none
  actors:
    "agent:*":
      ask: ["Bash(touch approved *)", "Bash(touch refused *)"]
`

/** The person has looked for this long before they answer. */
const THINKING_MS = 1500

export const PEOPLE: Scene = {
  title: 'a person approves and refuses',
  cases: [
    { id: 'ask-approved', title: 'an asked call runs once a person has approved it', check: seen => ran(seen, 'approved', 'approved') },
    {
      id: 'ask-held',
      title: 'a call waits for the person, and then runs, without being asked for again',
      lacks: ({ agent }) => (agent.can.ask ? `${agent.name} asks its own user: the call is not held` : null),
      check(seen) {
        const early = unreached(seen, 'approved')
        if (early !== null) return early
        if (!seen.has('approved')) return ignored('it did not run')
        return holds(!seen.reached('approved-again'), 'it was refused first, and ran when it was asked for again')
      },
    },
    {
      id: 'ask-refused',
      title: 'a call that a person refused does not run',
      check: seen => refused(seen, { step: 'refused', trace: 'refused', text: 'touch refused' }),
    },
    {
      id: 'ask-record',
      title: 'the record names who approved',
      check(seen) {
        const early = unreached(seen, 'approved')
        if (early !== null) return early
        if (decisionAbout(seen, 'touch approved') === undefined) return untried('the call did not come to Belay')
        return seen.entries.some(({ body }) => JSON.stringify(body).includes('human:trial')) ? obeyed : ignored('it does not')
      },
    },
  ],
  async run({ scratch, play }) {
    const project = scratch.makeProject(POLICY)
    const decider = await startDecider({
      url: scratch.url(),
      belayHome: scratch.belayHome,
      decide: text => (text.includes('touch approved') ? 'allow' : 'deny'),
      afterMs: THINKING_MS,
    })
    scratch.configure(`[approvals]\nwebhook = "${decider.url}"\n`)
    const decidedBefore = (count: number) => async () => {
      for (let tries = 0; tries < 100 && decider.decided() < count; tries++) await sleep(100, undefined, { ref: false })
    }
    try {
      return await play({
        project,
        steps: [
          touch('approved'),
          { ...touch('approved-again', 'approved'), isOver: () => existsSync(join(project, 'approved')), before: decidedBefore(1) },
          touch('refused'),
          { ...touch('refused-again', 'refused'), before: decidedBefore(2) },
          DONE,
        ],
      })
    } finally {
      scratch.configure('')
      await decider.close()
    }
  },
}

const ASKING_POLICY = `version: "2.0"
permissions:
  default: none
  actors:
    "agent:*":
      allow: ["Bash(touch allowed *)", "Write(*)"]
      deny: ["Bash(touch denied *)"]
`

export const ASKING: Scene = {
  title: 'an agent that asks its own user about commands',
  whyNot: ({ agent, headless }) => (headless.asking === null ? `${agent.name} asks nobody where it runs without a person` : null),
  cases: [
    {
      id: 'own-ask-allow',
      title: 'a call that the policy allows runs without the question of the agent',
      lacks: ({ agent }) => (agent.can.allow ? null : `${agent.name} asks all the same`),
      check: seen => ran(seen, 'allowed', 'allowed'),
    },
    {
      id: 'own-ask-deny',
      title: 'a denied one does not run',
      check: seen => refused(seen, { step: 'denied', trace: 'denied' }),
    },
    {
      id: 'own-ask-none',
      title: 'what no rule covers is left to the question of the agent',
      check: seen => unreached(seen, 'uncovered') ?? (seen.has('uncovered') ? ignored('it ran, and nobody was asked') : obeyed),
    },
    {
      id: 'permission-request',
      title: 'PermissionRequest is sent',
      lacks: subject => lacksEvent(subject, 'PermissionRequest'),
      check: seen => unreached(seen, 'uncovered') ?? holds(hasKind(seen, 'permission_request'), 'it did not come'),
    },
  ],
  run: ({ scratch, play }) =>
    play({
      project: scratch.makeProject(ASKING_POLICY),
      how: 'asking',
      steps: [touch('allowed'), touch('denied'), touch('uncovered'), DONE],
    }),
}
