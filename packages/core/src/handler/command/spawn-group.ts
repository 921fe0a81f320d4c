// Starts a program as the leader of its own process group, with a mark that all it starts inherits. Why it could not start is told apart here: node reports a missing
// working directory and a missing program with the same code.

import type { ChildProcessByStdio } from 'node:child_process'
import { statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { errorText } from '../../value/error-text.ts'
import type { CommandLine } from './command-line.ts'
import type { ProcessEnd } from './process-end.ts'
import { createMark, type HookGroup, MARK_VARIABLE } from './process-group.ts'

export interface SpawnPlan extends CommandLine {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

export type HookProcess = ChildProcessByStdio<Writable, Readable, Readable> & { readonly pid: number }

type NotStarted = Extract<ProcessEnd, { kind: 'not-started' }>

export type Spawned =
  | { readonly ok: true; readonly child: HookProcess; readonly group: HookGroup }
  | { readonly ok: false; readonly end: NotStarted }

export async function spawnGroup(plan: SpawnPlan): Promise<Spawned> {
  if (!isAbsolute(plan.cwd)) return notStarted('no-cwd', `its working directory ${JSON.stringify(plan.cwd)} is not an absolute path`)
  try {
    const mark = createMark()
    const env = { ...plan.env, [MARK_VARIABLE]: mark }
    const { spawn } = process.getBuiltinModule('node:child_process')
    const child = spawn(plan.program, plan.args, { cwd: plan.cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
    if (hasPid(child)) return { ok: true, child, group: { id: child.pid, mark } }
    return explain(await new Promise<Error>(resolve => child.once('error', resolve)), plan)
  } catch (error) {
    // Thrown for what cannot be an argument at all, such as a NUL inside a variable.
    return explain(error, plan)
  }
}

function hasPid(child: ChildProcessByStdio<Writable, Readable, Readable>): child is HookProcess {
  return child.pid !== undefined
}

function explain(error: unknown, plan: SpawnPlan): Spawned {
  if (!isDirectory(plan.cwd)) return notStarted('no-cwd', `its working directory ${plan.cwd} does not exist`)
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'ENOENT') return notStarted('no-program', `there is no program ${JSON.stringify(plan.program)} on the PATH`)
  if (code === 'EACCES') return notStarted('no-program', `${JSON.stringify(plan.program)} is not executable`)
  if (code === 'E2BIG') return notStarted('refused', 'its arguments and environment are too large for the system')
  return notStarted('refused', errorText(error))
}

function notStarted(code: NotStarted['code'], why: string): Spawned {
  return { ok: false, end: { kind: 'not-started', code, why } }
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
