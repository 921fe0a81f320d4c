// What final_validation asks of a project: files exist, checks and commands pass. The demands of the hook and those of completion.json hold
// together. What is asked of commitments is for whoever keeps them.

import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { HookEvent } from '../../hook/hook-event.ts'
import { BoundedMap } from '../../value/bounded-map.ts'
import type { ValidationPlan, Validator } from '../builtin/ports.ts'
import { readCompletion } from './completion-file.ts'
import { runCheck } from './run-check.ts'

export interface FileValidatorOptions {
  readonly env?: Readonly<Record<string, string | undefined>>
  /** What is wrong with the commitments, one sentence each. Absent: nobody here knows of any, and to ask for some is wrong. */
  checkCommitments?(plan: ValidationPlan, root: string): Promise<readonly string[]>
}

const CHECK_MS = 240_000
const MAX_SESSIONS = 10_000

export function createFileValidator(options: FileValidatorOptions = {}): Validator {
  const attempts = createAttempts()
  return {
    knowsCommitments: options.checkCommitments !== undefined,
    async validate(plan) {
      const root = plan.event.delivery?.root ?? plan.event.cwd
      const read = readCompletion(root)
      const plans = [
        plan,
        ...(read.ok && read.demands !== null ? [{ ...read.demands, commands: [], alsoWrong: [], event: plan.event }] : []),
      ]
      if (attempts.isExhausted(plan.event, plans)) return []
      const problems = read.ok ? [] : [read.why]
      for (const each of plans) problems.push(...(await findProblems(each, root, options)))
      attempts.count(plan.event, problems.length > 0)
      return [...new Set(problems)]
    },
  }
}

async function findProblems(
  plan: ValidationPlan,
  root: string,
  { env = process.env, checkCommitments }: FileValidatorOptions,
): Promise<readonly string[]> {
  const missing = plan.requiredFiles.filter(file => !existsSync(resolve(root, file))).map(file => `the file ${file} is missing`)
  const commands = [...plan.checks.map(name => commandOf(name, root)), ...plan.commands]
  const failed: string[] = []
  // One after another: checks of one project share its build folders.
  for (const command of commands) {
    const problem = await runCheck(command, { cwd: root, env, limitMs: CHECK_MS })
    if (problem !== null) failed.push(problem)
  }
  const promised = plan.commitments === null ? [] : ((await checkCommitments?.(plan, root)) ?? [NO_COMMITMENTS])
  return [...missing, ...failed, ...promised, ...plan.alsoWrong]
}

const NO_COMMITMENTS = 'commitments are demanded, and only the daemon keeps them: createToolPipeline({ gate: createDaemonGate() })'

/** An npm script of that name; `tsc` is known without one. */
function commandOf(name: string, root: string): string {
  if (!/^[\w:.-]+$/.test(name)) return `false # ${JSON.stringify(name)} is not the name of a script`
  return name === 'tsc' && !hasScript(root, name) ? 'npx --no-install tsc --noEmit' : `npm run --silent ${name}`
}

function hasScript(root: string, name: string): boolean {
  try {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    return typeof scripts?.[name] === 'string'
  } catch {
    return false
  }
}

interface Attempts {
  isExhausted(event: HookEvent, plans: readonly Pick<ValidationPlan, 'maxIterations'>[]): boolean
  count(event: HookEvent, hasFailed: boolean): void
}

/** After max_iterations refusals the agent may stop: it has been told often enough. */
function createAttempts(): Attempts {
  const counts = new BoundedMap<string, number>(MAX_SESSIONS)
  const keyOf = ({ agent, sessionId }: HookEvent): string => `${agent} ${sessionId}`
  return {
    isExhausted(event, plans) {
      const most = Math.min(...plans.map(plan => plan.maxIterations ?? Number.POSITIVE_INFINITY))
      return (counts.get(keyOf(event)) ?? 0) >= most
    },
    count(event, hasFailed) {
      if (!hasFailed) counts.delete(keyOf(event))
      else counts.set(keyOf(event), (counts.get(keyOf(event)) ?? 0) + 1)
    },
  }
}
