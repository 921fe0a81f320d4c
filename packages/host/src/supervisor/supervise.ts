// Runs an agent on the terminal it inherits, passes signals on, starts it anew when it hands over or crashes, and leaves nothing behind.
// Invariant: the exit code is the agent's.
import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname } from 'node:path'
import { makeFolder } from '../disk/make-folder.ts'
import { endTree, sweepTree } from './end-tree.ts'
import { type Ending, exitCodeOf, FIRST_LIFE, planRestart, type RestartLimits, type RestartOrder } from './plan-restart.ts'
import { withPrompt } from './prompt-argument.ts'
import type { RunLink } from './run-link.ts'

/** Calls back for every signal to this process; gives its undo. */
export type SignalSource = (listener: (signal: NodeJS.Signals) => void) => () => void

export interface SuperviseOptions {
  readonly command: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly runId: string
  readonly agentId: string
  /** Where an agent that takes no prompt finds what to go on with. */
  readonly recoveryFile: string
  readonly link: RunLink
  readonly signals: SignalSource
  /** Ctrl-C on the terminal reaches the agent without us. */
  readonly hasTerminal: boolean
  readonly limits: RestartLimits
  /** How long the agent may take to end when it is told to. */
  readonly graceMs: number
  say(text: string): void
}

export async function supervise(options: SuperviseOptions): Promise<number> {
  const inbox = openInbox(options)
  let lives = FIRST_LIFE
  try {
    for (;;) {
      const ending = await live(options, inbox, lives.prompt)
      if ('unstarted' in ending) return ending.unstarted
      const plan = planRestart(lives, ending, options.limits)
      if (plan.kind === 'end') {
        if (plan.why !== null) giveUp(options, plan.why, lives.prompt)
        else rmSync(options.recoveryFile, { force: true })
        return plan.exitCode
      }
      options.say(`${plan.why}; starting it again${plan.delayMs === 0 ? '' : ` in ${plan.delayMs / 1000} s`}`)
      if (plan.lives.prompt !== null) writeRecovery(options.recoveryFile, plan.lives.prompt)
      const signal = await inbox.wait(plan.delayMs)
      if (signal !== null) return 128 + constants.signals[signal]
      lives = plan.lives
    }
  } finally {
    inbox.close()
  }
}

function giveUp({ say, recoveryFile, link }: SuperviseOptions, why: string, prompt: string | null): void {
  link.giveUp(why)
  say(
    `giving up: ${why}. Start it by hand to see what is wrong.${prompt === null ? '' : ` What it was to go on with is in ${recoveryFile}`}`,
  )
}

function writeRecovery(file: string, prompt: string): void {
  makeFolder(dirname(file), 0o700)
  writeFileSync(file, `${prompt}\n`, { mode: 0o600 })
}

/** One life of the agent, from its start to the end of the last process it started. */
async function live(options: SuperviseOptions, inbox: Inbox, prompt: string | null): Promise<Ending | { readonly unstarted: number }> {
  const startedAt = performance.now()
  const child = start(options, prompt)
  const exited = waitForExit(child)
  const tree = { runId: options.runId, graceMs: options.graceMs }
  let ending: Promise<void> | null = null
  const end = () => {
    if (child.pid !== undefined) ending ??= endTree(child.pid, tree)
  }
  let timer: NodeJS.Timeout | undefined
  inbox.serve({
    onOrder: end,
    onSignal(signal) {
      const isOfTerminal = signal === 'SIGINT' || signal === 'SIGQUIT'
      if (!(isOfTerminal && options.hasTerminal)) child.kill(signal)
      if (ENDING.has(signal)) timer ??= setTimeout(end, options.graceMs)
    },
  })
  const exit = await exited
  const livedMs = performance.now() - startedAt
  clearTimeout(timer)
  if ('failed' in exit) return explainStart(options, exit.failed)
  const { signals } = inbox
  inbox.rest()
  await (ending ?? sweepTree(child.pid ?? 0, tree))
  const order = inbox.takeOrder() ?? (await options.link.next())
  return { ...exit, livedMs, order, isAskedToEnd: isAsked(signals, exit) }
}

const ENDING: ReadonlySet<NodeJS.Signals> = new Set(['SIGTERM', 'SIGHUP'])

/** Ctrl-C may only have stopped a turn: it counts where the agent died of it. */
function isAsked(signals: readonly NodeJS.Signals[], exit: Exit): boolean {
  return signals.some(signal => ENDING.has(signal)) || (signals.length > 0 && exitCodeOf(exit) >= 128)
}

function start({ command, cwd, env, runId, agentId, recoveryFile }: SuperviseOptions, prompt: string | null): ChildProcess {
  const [program = '', ...words] = prompt === null ? command : (withPrompt(command, prompt) ?? command)
  return spawn(program, words, {
    cwd,
    stdio: 'inherit',
    env: { ...env, AGENT_ID: agentId, BELAY_RUN_ID: runId, BELAY_RECOVERY_FILE: recoveryFile },
  })
}

type Exit = Pick<Ending, 'exitCode' | 'signal'>

function waitForExit(child: ChildProcess): Promise<Exit | { readonly failed: NodeJS.ErrnoException }> {
  return new Promise(resolve => {
    child.on('error', failed => {
      // A signal that could not be delivered is no failed start.
      if (child.pid === undefined) resolve({ failed })
    })
    child.on('exit', (exitCode, signal) => resolve({ exitCode, signal }))
  })
}

/** As a shell: 127 not found, 126 not a program. */
function explainStart({ command, say }: SuperviseOptions, error: NodeJS.ErrnoException): { readonly unstarted: number } {
  const isMissing = error.code === 'ENOENT'
  say(`${command[0]} cannot be started: ${isMissing ? 'there is no such program (or the directory is gone)' : error.message}`)
  return { unstarted: isMissing ? 127 : 126 }
}

interface Inbox {
  /** Signals of the present life. */
  readonly signals: readonly NodeJS.Signals[]
  serve(life: Life): void
  /** Between two lives. */
  rest(): void
  takeOrder(): RestartOrder | null
  /** The signal that cut the wait short, else null. */
  wait(ms: number): Promise<NodeJS.Signals | null>
  close(): void
}

interface Life {
  onOrder(): void
  onSignal(signal: NodeJS.Signals): void
}

/** What comes from outside, also between two lives of the agent. */
function openInbox({ link, signals }: SuperviseOptions): Inbox {
  const idle: Life = { onOrder: () => undefined, onSignal: () => undefined }
  let life = idle
  let order: RestartOrder | null = null
  let seen: NodeJS.Signals[] = []
  link.onRestart(given => {
    order = given
    life.onOrder()
  })
  const close = signals(signal => {
    seen.push(signal)
    life.onSignal(signal)
  })
  return {
    get signals() {
      return seen
    },
    serve(next) {
      seen = []
      life = next
    },
    rest() {
      life = idle
    },
    takeOrder() {
      const taken = order
      order = null
      return taken
    },
    wait(ms) {
      return new Promise(resolve => {
        const timer = setTimeout(() => resolve(null), ms)
        life = {
          ...idle,
          onSignal(signal) {
            clearTimeout(timer)
            resolve(signal)
          },
        }
      })
    },
    close,
  }
}
