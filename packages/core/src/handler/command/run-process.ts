// One process from start to end: spawn, feed, wait, kill. Never throws, never hangs past its limit, keeps a bounded part of the output.
// A process that ends by itself may leave others behind on purpose, unless `endsAll` says otherwise; one that is stopped takes along all that
// it started.

import { type Deadline, type Ends, startDeadline } from '../deadline.ts'
import { type CollectedOutput, collectOutput, collectTail } from './collect-output.ts'
import { feedInput } from './feed-input.ts'
import type { ProcessEnd, ProcessOutput } from './process-end.ts'
import { forgetGroup, type HookGroup, stopGroup, trackGroup } from './process-group.ts'
import { type HookProcess, type SpawnPlan, spawnGroup } from './spawn-group.ts'
import { watchExit } from './wait-exit.ts'

const STDOUT_BYTES = 1024 * 1024
const STDERR_BYTES = 64 * 1024
const TAIL_BYTES = 64 * 1024

/** What the beginning of stdout says about going on in the background. */
export type DetachAnswer = 'wait' | 'no' | { readonly limitMs: number }

export interface ProcessRequest extends SpawnPlan, Ends {
  readonly input: string
  /** Of a long stdout the end is kept, not the beginning. */
  readonly keepsEnd?: boolean
  /** What it has started ends with it. */
  readonly endsAll?: boolean
  /** Must not throw. */
  readonly onStderr?: (text: string) => void
  /** Asked on every piece of stdout until it answers something else than `wait`. */
  readonly readDetach?: (stdout: string) => DetachAnswer
}

export interface DetachedProcess {
  readonly kind: 'detached'
  readonly end: Promise<ProcessEnd>
}

export async function runProcess(request: ProcessRequest): Promise<ProcessEnd | DetachedProcess> {
  const spawned = await spawnGroup(request)
  if (!spawned.ok) return spawned.end
  const { child, group } = spawned
  trackGroup(group)
  const deadline = startDeadline(request)
  const stdout = request.keepsEnd ? collectTail(child.stdout, TAIL_BYTES) : collectOutput(child.stdout, STDOUT_BYTES)
  const stderr = collectOutput(child.stderr, STDERR_BYTES, request.onStderr)
  const end = waitForEnd({ child, group, endsAll: request.endsAll ?? false }, deadline, { stdout, stderr })
  feedInput(child.stdin, request.input)
  if (request.readDetach === undefined) return end
  const limitMs = await Promise.race([end.then(() => null), watchDetach(child, stdout, request.readDetach)])
  if (limitMs !== null) deadline.moveTo(limitMs)
  // One that announced it and was done at once is read no differently from one that took its time.
  return limitMs === null && typeof request.readDetach(stdout.text()) === 'string' ? end : { kind: 'detached', end }
}

/** Resolves with the new limit when the hook announces that it goes on in the background. */
function watchDetach(child: HookProcess, stdout: CollectedOutput, readDetach: (stdout: string) => DetachAnswer): Promise<number> {
  return new Promise(resolve => {
    const onData = () => {
      const answer = readDetach(stdout.text())
      if (answer === 'wait') return
      child.stdout.off('data', onData)
      if (answer !== 'no') resolve(answer.limitMs)
    }
    child.stdout.on('data', onData)
  })
}

interface Running {
  readonly child: HookProcess
  readonly group: HookGroup
  readonly endsAll: boolean
}

interface Streams {
  readonly stdout: CollectedOutput
  readonly stderr: CollectedOutput
}

async function waitForEnd(running: Running, deadline: Deadline, streams: Streams): Promise<ProcessEnd> {
  const watch = watchExit(running.child)
  const first = await Promise.race([watch.exited, deadline.over])
  deadline.clear()
  if (typeof first === 'string') {
    // The answer does not wait for the dying: it can no longer say anything.
    void stopChild(running)
    return { kind: 'cancelled', why: first, ...outputOf(streams) }
  }
  await watch.drain(() => streams.stdout.byteCount() + streams.stderr.byteCount())
  if (running.endsAll) await stopGroup(running.group, 0)
  forgetGroup(running.group)
  if (first.exitCode === null) return { kind: 'killed', signal: first.signal ?? 'unknown signal', ...outputOf(streams) }
  return { kind: 'exited', exitCode: first.exitCode, ...outputOf(streams) }
}

async function stopChild({ child, group }: Running): Promise<void> {
  await stopGroup(group)
  forgetGroup(group)
  child.stdout.destroy()
  child.stderr.destroy()
}

function outputOf({ stdout, stderr }: Streams): ProcessOutput {
  return { stdout: stdout.text(), stderr: stderr.text(), truncated: stdout.isTruncated() || stderr.isTruncated() }
}
