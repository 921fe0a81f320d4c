// A command hook: the event as JSON on stdin, the answer from stdout, stderr and exit code.
import { resolve } from 'node:path'
import type { CommandHandler, HookDefinition } from '../../hook/hook-definition.ts'
import type { HookEvent } from '../../hook/hook-event.ts'
import type { HandlerRun } from '../../hook/hook-result.ts'
import { agentVariables } from '../agent-variables.ts'
import { runInBackground } from '../background.ts'
import type { HandlerOptions } from '../handler-options.ts'
import { hookPayload } from '../hook-payload.ts'
import { interpretEnd, type Reading } from '../interpret/interpret-end.ts'
import { endsOf } from '../limit.ts'
import { buildEnvironment } from './build-environment.ts'
import { toCommandLine } from './command-line.ts'
import type { ProcessEnd } from './process-end.ts'
import { readDetach, withoutDetachLine } from './read-detach.ts'
import { runProcess } from './run-process.ts'

export type CommandHook = HookDefinition & { readonly handler: CommandHandler }

export async function runCommand(hook: CommandHook, event: HookEvent, options: HandlerOptions): Promise<HandlerRun> {
  const { handler } = hook
  const isToml = handler.dialect === 'toml'
  const reading: Reading = {
    hook,
    dialect: handler.dialect,
    eventName: event.name,
    readsStdout: !isToml || handler.parseResult === true,
  }
  const run = await runProcess({
    ...toCommandLine(handler, { ...agentVariables(event), ...handler.env }),
    cwd: handler.cwd === undefined || event.cwd === '' ? event.cwd : resolve(event.cwd, handler.cwd),
    env: buildEnvironment(handler, event, options.env ?? process.env),
    input: !isToml || handler.passContext === true ? `${JSON.stringify(hookPayload(event))}\n` : '',
    ...endsOf(hook, options),
    ...(reading.readsStdout ? { readDetach } : {}),
    ...(options.onOutput === undefined ? {} : { onStderr: untilThrow(options.onOutput) }),
  })
  if (run.kind !== 'detached') return interpretEnd(run, reading)
  return runInBackground(run.end.then(end => interpretEnd(withoutDetached(end), { ...reading, isLate: true })))
}

/** A watcher that throws must not end the process it watches: it is not told any more. */
function untilThrow(watch: (text: string) => void): (text: string) => void {
  let isBroken = false
  return text => {
    if (isBroken) return
    try {
      watch(text)
    } catch {
      isBroken = true
    }
  }
}

/** What comes after the line that announced it is the answer. */
function withoutDetached(end: ProcessEnd): ProcessEnd {
  return end.kind === 'not-started' ? end : { ...end, stdout: withoutDetachLine(end.stdout) }
}
