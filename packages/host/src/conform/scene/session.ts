// One session with every kind of answer: what an agent does all day.
import { join } from 'node:path'
import {
  type Case,
  decisionAbout,
  degraded,
  hasKind,
  holds,
  ignored,
  lacksContext,
  lacksEvent,
  obeyed,
  ran,
  refused,
  type Seen,
  toldWhy,
  unreached,
  untried,
  verdictOf,
} from '../case.ts'
import type { Step } from '../scripted-model.ts'
import { DONE, type Scene, touch } from './scene.ts'

const context = (text: string) => `{ command: "echo '{\\"additional_context\\": \\"${text}\\"}'" }`

const POLICY = `version: "2.0"
hooks:
  session_start:
    - type: command
      config: ${context('CONTEXT-AT-START')}
  user_prompt_submit:
    - type: command
      config: ${context('CONTEXT-AT-PROMPT')}
  pre_tool_use:
    - matcher: "Bash(echo original *)"
      type: modify
      config: { set: { "/command": "echo rewritten > rewritten.txt" } }
    - matcher: "Bash(echo harmless *)"
      type: modify
      config: { set: { "/command": "touch denied by-rewrite.txt" } }
    - matcher: "Bash(echo hint *)"
      type: command
      config: ${context('CONTEXT-BEFORE-TOOL')}
    - matcher: "Bash(touch crashed *)"
      type: command
      config: { command: "kill -9 $$" }
    - matcher: "Bash(touch hung *)"
      type: command
      config: { command: "sleep 600", timeout_sec: 1 }
  post_tool_use:
    - matcher: "Bash(echo context *)"
      type: command
      config: ${context('CONTEXT-AFTER-TOOL')}
    - matcher: "Bash(echo leak *)"
      type: deny
      config: { reason: "REASON-AFTER-TOOL" }
permissions:
  default: none
  actors:
    "agent:*":
      deny:
        - rule: "Bash(touch denied *)"
          message: "REASON-OF-DENY"
        - "Write(secret.txt)"
        - "Read(private.txt)"
      ask: ["Bash(touch asked *)"]
`

const PRIVATE = 'PRIVATE-TEXT'

const stepsIn = (project: string): readonly Step[] => [
  touch('allowed'),
  touch('denied'),
  { id: 'rewrite', calls: [{ shell: 'echo original > original.txt' }] },
  { id: 'rewrite-deny', calls: [{ shell: 'echo harmless > harmless.txt' }] },
  { id: 'parallel', calls: ['side-a', 'denied side-b', 'side-c'].map(name => ({ shell: `touch ${name} file.txt` })) },
  { id: 'context-before', calls: [{ shell: 'echo hint please' }] },
  { id: 'context-after', calls: [{ shell: 'echo context please' }] },
  { id: 'post-block', calls: [{ shell: 'echo leak please' }] },
  { id: 'fails', calls: [{ shell: 'exit 7' }] },
  { id: 'write', calls: [{ write: join(project, 'open.txt'), content: 'OPEN' }] },
  { id: 'write-deny', calls: [{ write: join(project, 'secret.txt'), content: 'SECRET' }] },
  { id: 'patch-deny', calls: [{ shell: "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: secret.txt\n+SECRET\n*** End Patch\nEOF" }] },
  { id: 'read-deny', calls: [{ read: join(project, 'private.txt') }] },
  { id: 'search-deny', calls: [{ search: 'PRIVATE', in: 'private.txt' }] },
  touch('crashed'),
  touch('hung'),
  touch('asked'),
  touch('last'),
  DONE,
]

const hears =
  (step: string, text: string, otherwise: string) =>
  (seen: Seen): ReturnType<Case['check']> =>
    unreached(seen, step) ?? holds(seen.heard.includes(text), otherwise)

const CASES: readonly Case[] = [
  { id: 'allow', title: 'an allowed call runs', check: seen => ran(seen, 'allowed', 'allowed') },
  {
    id: 'deny',
    title: 'a denied call does not run',
    check: seen => refused(seen, { step: 'denied', trace: 'denied', text: 'touch denied file' }),
  },
  { id: 'deny-reason', title: 'the model reads why', check: checkReason },
  { id: 'rewrite', title: 'a rewritten call runs as it was rewritten', check: checkRewrite },
  {
    id: 'rewrite-deny',
    title: 'a call that is denied as rewritten does not run, in neither form',
    check: seen =>
      seen.has('harmless.txt')
        ? ignored('the original call ran')
        : refused(seen, { step: 'rewrite-deny', trace: 'by-rewrite.txt', text: 'echo harmless' }),
  },
  { id: 'parallel', title: 'of several calls at once only the denied one does not run', check: checkParallel },
  { id: 'parallel-record', title: 'each of them is judged once', check: checkParallelRecord },
  {
    id: 'ask-nobody',
    title: 'where nobody can answer, an asked call does not run, and the model reads how to approve it',
    check: checkAsk,
  },
  { id: 'write', title: 'an allowed file is written', check: seen => ran(seen, 'write', 'open.txt') },
  { id: 'write-deny', title: 'a denied file is not written', check: seen => refused(seen, { step: 'write-deny', trace: 'secret.txt' }) },
  {
    id: 'patch-deny',
    title: 'nor by a patch inside a shell command',
    check: seen => refused(seen, { step: 'patch-deny', trace: 'secret.txt', text: 'apply_patch' }),
  },
  { id: 'read-deny', title: 'a denied file is not read', check: seen => checkUnread(seen, { step: 'read-deny', tool: 'Read' }) },
  { id: 'search-deny', title: 'nor found by a search', check: seen => checkUnread(seen, { step: 'search-deny', tool: 'Grep' }) },
  { id: 'hook-crash', title: 'a hook that crashes stops the call', check: seen => refused(seen, { step: 'crashed', trace: 'crashed' }) },
  {
    id: 'hook-timeout',
    title: 'a hook that runs out of time stops the call',
    check: seen => refused(seen, { step: 'hung', trace: 'hung' }),
  },
  {
    id: 'context-start',
    title: 'text for the model at the start of a session',
    lacks: subject => lacksContext(subject, 'SessionStart'),
    check: hears('allowed', 'CONTEXT-AT-START', 'it did not reach the model'),
  },
  {
    id: 'context-prompt',
    title: 'text for the model with a prompt',
    lacks: subject => lacksContext(subject, 'UserPromptSubmit'),
    check: hears('allowed', 'CONTEXT-AT-PROMPT', 'it did not reach the model'),
  },
  {
    id: 'context-before',
    title: 'text for the model before a call',
    lacks: subject => lacksContext(subject, 'PreToolUse'),
    check: hears('context-before', 'CONTEXT-BEFORE-TOOL', 'it did not reach the model'),
  },
  {
    id: 'context-after',
    title: 'text for the model after a call',
    lacks: subject => lacksContext(subject, 'PostToolUse'),
    check: hears('context-after', 'CONTEXT-AFTER-TOOL', 'it did not reach the model'),
  },
  {
    id: 'post-block',
    title: 'a block after a call: the model reads why',
    check(seen) {
      const found = hears('post-block', 'REASON-AFTER-TOOL', 'it did not reach the model')(seen)
      return found.state === 'obeyed' && !seen.agent.can.blockAfter ? degraded('it is told as text beside the result') : found
    },
  },
  {
    id: 'failure',
    title: 'a call that failed is known as one',
    lacks: lacksFailure,
    check: seen => unreached(seen, 'fails') ?? holds(hasKind(seen, 'post_tool_use_failure'), 'it is recorded as a success'),
  },
  ...(['SessionStart session_start', 'SessionEnd session_end', 'UserPromptSubmit user_prompt_submit', 'Stop stop'] as const).map(
    (pair): Case => {
      const [event = '', kind = ''] = pair.split(' ')
      return {
        id: kind.replaceAll('_', '-'),
        title: `${event} is sent`,
        lacks: subject => lacksEvent(subject, event),
        check: seen => unreached(seen, 'allowed') ?? holds(hasKind(seen, kind), 'it did not come'),
      }
    },
  ),
  { id: 'record', title: 'every call is recorded as this agent, with its verdict', check: checkRecord },
  { id: 'goes-on', title: 'after all of this the agent goes on, and ends well', check: checkEnd },
]

export const SESSION: Scene = {
  title: 'a session with every kind of answer',
  cases: CASES,
  run({ scratch, play }) {
    const project = scratch.makeProject(POLICY)
    return play({ project, steps: stepsIn(project), files: { 'private.txt': `${PRIVATE}\n` } })
  },
}

function checkReason(seen: Seen): ReturnType<Case['check']> {
  return unreached(seen, 'denied') ?? toldWhy(seen, seen.heard.includes('REASON-OF-DENY'), 'the reason did not reach the model')
}

function checkRewrite(seen: Seen): ReturnType<Case['check']> {
  const early = unreached(seen, 'rewrite')
  if (early !== null) return early
  if (seen.has('original.txt')) return ignored('the call ran as it was before')
  if (seen.has('rewritten.txt')) return obeyed
  return seen.agent.can.rewriteInput ? ignored('the call did not run at all') : degraded('it cannot rewrite: the call is refused')
}

function checkParallel(seen: Seen): ReturnType<Case['check']> {
  const early = unreached(seen, 'parallel')
  if (early !== null) return early
  if (seen.has('side-b')) return ignored('the denied one ran')
  const haveOthersRun = seen.has('side-a') && seen.has('side-c')
  return !haveOthersRun && seen.agent.endsAtDeny ? degraded(ENDED) : holds(haveOthersRun, 'an allowed one did not run')
}

function checkParallelRecord(seen: Seen): ReturnType<Case['check']> {
  const early = unreached(seen, 'parallel')
  if (early !== null) return early
  const judged = seen.entries.filter(({ kind, body }) => kind === 'pre_tool_use' && /touch (?:denied )?side-/.test(JSON.stringify(body)))
  if (seen.agent.endsAtDeny && judged.length === 2) return degraded(ENDED)
  return holds(judged.length === 3, `3 calls, ${judged.length} judged`)
}

const ENDED = 'the agent ends its run at the refusal: the others did not run either'

function checkAsk(seen: Seen): ReturnType<Case['check']> {
  const found = refused(seen, { step: 'asked', trace: 'asked' })
  if (found.state !== 'obeyed') return found
  const isTold = /belay(?:\.cjs)?['"]? approvals/.test(seen.heard)
  const told = toldWhy(seen, isTold, 'the model does not read how a person approves')
  if (told.state !== 'obeyed') return told
  return seen.agent.can.ask ? obeyed : degraded('it cannot ask: the call is refused, and waits for approval')
}

/** What the file holds is in no other place. */
function checkUnread(seen: Seen, { step, tool }: { readonly step: string; readonly tool: string }): ReturnType<Case['check']> {
  const early = unreached(seen, step)
  if (early !== null) return early
  if (seen.heard.includes(PRIVATE)) return ignored('the model read it')
  const isDenied = seen.entries.some(
    ({ kind, body }) =>
      kind === 'pre_tool_use' && body.tool === tool && body.verdict === 'deny' && JSON.stringify(body).includes('private.txt'),
  )
  return isDenied ? obeyed : untried('the model did not read it, and Belay was not asked')
}

function lacksFailure({ agent, headless }: Pick<Seen, 'agent' | 'headless'>): string | null {
  return agent.exitCode === null ? lacksEvent({ agent, headless }, 'PostToolUseFailure') : null
}

function checkRecord(seen: Seen): ReturnType<Case['check']> {
  const early = unreached(seen, 'allowed')
  if (early !== null) return early
  const wanted = { 'touch allowed': /none|allow/, 'touch denied file': /deny/, 'touch asked': /deny|ask/, 'touch last': /none|allow/ }
  for (const [text, verdict] of Object.entries(wanted)) {
    const entry = decisionAbout(seen, text)
    if (entry === undefined) return ignored(`${text}: there is no record`)
    if (!verdict.test(verdictOf(entry))) return ignored(`${text}: the record says ${verdictOf(entry)}`)
    if (entry.body.agent !== seen.agent.id) return ignored(`${text}: the record says that it was ${entry.body.agent}`)
  }
  return obeyed
}

function checkEnd(seen: Seen): ReturnType<Case['check']> {
  const last = ran(seen, 'last', 'last')
  return last.state === 'obeyed' ? holds(seen.code === 0, `it ended with ${seen.code}`) : last
}
