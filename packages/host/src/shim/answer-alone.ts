// What a client says when nobody has answered it: by the agent that its line names.
import { canonicalEvent, findAgent, refusesOnFailure } from '@belay/core/adapter'
import { ownCommand } from '../config/own-command.ts'
import { whyNotOurSocket } from '../disk/own-folder.ts'
import { createBodyRedactor } from '../ledger/body-redactor.ts'
import { wasHung } from '../wire/hung-daemon.ts'
import { judgeAlone } from './judge-alone.ts'
import type { HookIo, HookOptions, HookOutput } from './node-shim.ts'

/** What judging alone may take after the daemon has not answered. */
const ALONE_MS = 10_000

export interface UnansweredCall {
  readonly home: string
  readonly frame: string
  readonly shimSocket: string
}

export async function answerAlone(options: HookOptions, io: HookIo, { home, frame, shimSocket }: UnansweredCall): Promise<HookOutput> {
  const agent = findAgent(options.agent)
  if (agent === null) return unknownAgent(options)
  if (!wasHung(shimSocket, Date.now())) io.startDaemon()
  const place = { agent, home, etc: io.etc, env: io.env, deadlineMs: ALONE_MS, redact: createBodyRedactor(home) }
  return judgeAlone(frame, { ...place, socketProblem: whyNotOurSocket(shimSocket) })
}

/** Before a tool, and before settings are taken over, a failure is a refusal; anywhere else an exit code of 2 would itself be an answer, so it is only said. */
export function failure(options: HookOptions, { env }: HookIo, why: string): HookOutput {
  const agent = findAgent(options.agent)
  if (agent === null) return unknownAgent(options)
  const gates = refusesOnFailure(canonicalEvent(agent.id, options.event))
  const text = `Belay failed (${why}); a person can run \`${ownCommand(env.PATH)} doctor\`\n`
  return gates ? { stdout: '', stderr: `Tool denied: ${text}`, exitCode: 2 } : { stdout: '', stderr: text, exitCode: 0 }
}

function unknownAgent({ agent }: HookOptions): HookOutput {
  return { stdout: '', stderr: `Belay: there is no agent called ${agent}\n`, exitCode: 2 }
}
