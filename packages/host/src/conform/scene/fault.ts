// What breaks: the daemon, our client, the policy. A call must never run because of it.
import { type Case, decisionAbout, type Finding, holds, ignored, obeyed, ran, refused, type Seen, toldWhy, unreached } from '../case.ts'
import { DONE, PLAIN_POLICY, type Scene, touch } from './scene.ts'

/** Not run, whether or not it came to Belay: there may be nobody to record it. */
function notRun(seen: Seen, step: string): Finding {
  return unreached(seen, step) ?? (seen.has(step) ? ignored('the call ran unguarded') : obeyed)
}

const POLICY = PLAIN_POLICY.replace('      deny:\n', '      deny:\n        - "Bash(touch denied-hung *)"\n')

const CALLS = ['allowed', 'denied-hung', 'while-hung', 'denied', 'while-gone']

export const DAEMON: Scene = {
  title: 'the daemon hangs, and is then killed',
  cases: [
    { id: 'daemon-hung', title: 'while the daemon hangs a denied call does not run', check: seen => notRun(seen, 'denied-hung') },
    { id: 'daemon-hung-allow', title: 'an allowed one does', check: seen => ran(seen, 'while-hung', 'while-hung') },
    {
      id: 'daemon-gone',
      title: 'without the daemon a denied call does not run',
      check: seen => refused(seen, { step: 'denied', trace: 'denied' }),
    },
    { id: 'daemon-gone-allow', title: 'an allowed one does', check: seen => ran(seen, 'while-gone', 'while-gone') },
    {
      id: 'daemon-back',
      title: 'all of them are in the record once it is back',
      check: seen =>
        unreached(seen, 'while-gone') ??
        holds(
          CALLS.every(name => decisionAbout(seen, `touch ${name} file`) !== undefined),
          'some are not',
        ),
    },
  ],
  async run({ scratch, play }) {
    const project = scratch.makeProject(POLICY)
    const steps = [
      touch('allowed'),
      { ...touch('denied-hung'), before: () => scratch.signal('SIGSTOP') },
      touch('while-hung'),
      { ...touch('denied'), before: () => scratch.kill() },
      touch('while-gone'),
      DONE,
    ]
    const seen = await play({ project, steps })
    await scratch.up()
    const entries = await scratch.entriesWhen(project, found =>
      CALLS.every(name => decisionAbout({ entries: found }, `touch ${name} file`) !== undefined),
    )
    return { ...seen, entries }
  },
}

const BROKEN_CLIENTS = {
  crash: 'where our hook client crashes no call runs',
  mute: 'nor where it says nothing',
  gone: 'nor where it is gone',
}

export const CLIENT: Scene = {
  title: 'our hook client crashes, says nothing, is gone',
  cases: Object.entries(BROKEN_CLIENTS).map(
    ([how, title]): Case => ({ id: `client-${how}`, title, check: seen => notRun(seen, `with-${how}`) }),
  ),
  async run({ scratch, play }) {
    const replace = (script: string | null) => () => scratch.replaceClient(script)
    const steps = [
      touch('allowed'),
      { ...touch('with-crash'), before: replace('#!/bin/sh\nkill -9 $$\n') },
      { ...touch('with-mute'), before: replace('#!/bin/sh\nexit 0\n') },
      { ...touch('with-gone'), before: replace(null) },
      DONE,
    ]
    try {
      return await play({ project: scratch.makeProject(PLAIN_POLICY), steps })
    } finally {
      scratch.restoreClient()
    }
  },
}

const CHANGED = PLAIN_POLICY.replace('      deny:\n', '      deny:\n        - "Bash(touch later *)"\n')
const BROKEN = 'version: "2.0"\npermissions:\n  actors: [this is not a mapping\n'

export const POLICY_CHANGE: Scene = {
  title: 'the policy changes in the middle',
  cases: [
    {
      id: 'policy-change',
      title: 'a deny that is added in the middle of a session holds',
      check: seen => refused(seen, { step: 'later', trace: 'later' }),
    },
    {
      id: 'policy-kept',
      title: 'a policy that breaks in the middle holds as it was',
      check: seen => refused(seen, { step: 'denied', trace: 'denied' }),
    },
    { id: 'policy-before', title: 'what was allowed before ran', check: seen => ran(seen, 'allowed', 'allowed') },
  ],
  run({ scratch, play }) {
    const project = scratch.makeProject(PLAIN_POLICY)
    const steps = [
      touch('allowed'),
      { ...touch('later'), before: () => scratch.changePolicy(project, CHANGED) },
      { ...touch('denied'), before: () => scratch.breakPolicy(project, BROKEN) },
      DONE,
    ]
    return play({ project, steps })
  },
}

export const POLICY_BROKEN: Scene = {
  title: 'a policy that was never good',
  cases: [
    {
      id: 'policy-broken',
      title: 'under a broken policy no call runs',
      check: seen => refused(seen, { step: 'allowed', trace: 'allowed' }),
    },
    {
      id: 'policy-broken-reason',
      title: 'the model reads where it is broken',
      check: seen => unreached(seen, 'allowed') ?? toldWhy(seen, seen.heard.includes('genesis.key'), 'it did not reach the model'),
    },
  ],
  run: ({ scratch, play }) => play({ project: scratch.makeProject(BROKEN, { isTrusted: false }), steps: [touch('allowed'), DONE] }),
}
