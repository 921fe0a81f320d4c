// final_validation in the daemon: files exist, checks pass, commitments are closed with evidence. The policy's demands and those of
// completion.json hold together.
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { HookEvent, ValidationPlan, Validator } from '@belay/core'
import type { Board, Commitment } from '../commitment/board.ts'
import { readCompletion } from './completion-file.ts'
import { runCheck } from './run-check.ts'

export interface ValidatorOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  board(): Promise<Board>
}

const CHECK_MS = 240_000
const MOST_SESSIONS = 10_000

export function createValidator(options: ValidatorOptions): Validator {
  const attempts = createAttempts()
  return {
    async validate(plan) {
      const root = plan.event.delivery?.root ?? plan.event.cwd
      const read = readCompletion(root)
      const plans = [plan, ...(read.ok && read.demands !== null ? [{ ...read.demands, commands: [], event: plan.event }] : [])]
      if (attempts.isExhausted(plan.event, plans)) return []
      const problems = read.ok ? [] : [read.why]
      for (const each of plans) problems.push(...(await findProblems(each, root, options)))
      attempts.count(plan.event, problems.length > 0)
      return [...new Set(problems)]
    },
  }
}

async function findProblems(plan: ValidationPlan, root: string, { env, board }: ValidatorOptions): Promise<readonly string[]> {
  const missing = plan.requiredFiles.filter(file => !existsSync(resolve(root, file))).map(file => `the file ${file} is missing`)
  const commands = [...plan.checks.map(name => commandOf(name, root)), ...plan.commands]
  const failed: string[] = []
  // One after another: checks of one project share its build folders.
  for (const command of commands) {
    const problem = await runCheck(command, { cwd: root, env: checkEnvironment(env), limitMs: CHECK_MS })
    if (problem !== null) failed.push(problem)
  }
  return [...missing, ...failed, ...(await checkCommitments(plan, root, await board()))]
}

const PASSED_ON = /^(?:PATH|HOME|USER|SHELL|LANG|TERM|TMPDIR|LC_.*|XDG_.*)$/

/** What a check needs to run; the daemon's secrets stay here. */
function checkEnvironment(env: ValidatorOptions['env']): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => PASSED_ON.test(name)))
}

/** An npm script of that name; `tsc` is known without one. */
function commandOf(name: string, root: string): string {
  if (!/^[\w:.-]+$/.test(name)) return `false # ${JSON.stringify(name)} is no name of a script`
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

async function checkCommitments({ commitments: wanted, event }: ValidationPlan, root: string, board: Board): Promise<readonly string[]> {
  if (wanted === null) return []
  const own = [...board.commitments.values()].filter(commitment => commitment.root === root && concerns(commitment, event))
  const problems: string[] = []
  if (own.length < wanted.minCount)
    problems.push(`${wanted.minCount} commitments are wanted and there are ${own.length}: belay commit TEXT`)
  for (const { id, state, evidence } of own) {
    if (wanted.requireClosed && state !== 'closed') problems.push(`${id} is ${state}, not closed`)
    if (wanted.requireEvidence && evidence === 0) problems.push(`${id} has no evidence: belay evidence ${id} ...`)
  }
  return problems
}

function concerns({ id, doers, createdBy }: Commitment, { commitment, actor, delivery }: HookEvent): boolean {
  return id === commitment || createdBy === actor || doers.includes(actor) || (delivery !== undefined && doers.includes(delivery.agentId))
}

interface Attempts {
  isExhausted(event: HookEvent, plans: readonly Pick<ValidationPlan, 'maxIterations'>[]): boolean
  count(event: HookEvent, hasFailed: boolean): void
}

/** After max_iterations refusals the agent may stop: it has been told often enough. */
function createAttempts(): Attempts {
  const counts = new Map<string, number>()
  const keyOf = ({ agent, sessionId }: HookEvent): string => `${agent} ${sessionId}`
  return {
    isExhausted(event, plans) {
      const most = Math.min(...plans.map(plan => plan.maxIterations ?? Number.POSITIVE_INFINITY))
      return (counts.get(keyOf(event)) ?? 0) >= most
    },
    count(event, hasFailed) {
      if (!hasFailed) counts.delete(keyOf(event))
      else counts.set(keyOf(event), (counts.get(keyOf(event)) ?? 0) + 1)
      if (counts.size > MOST_SESSIONS) counts.delete(counts.keys().next().value ?? '')
    },
  }
}
