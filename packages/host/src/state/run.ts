// Supervised runs: `belay run` registers, asks what to do next, and is told when its agent's window is used up. Kept in memory: a supervisor
// that finds a new daemon registers again.

export interface Run {
  readonly runId: string
  readonly agentId: string
}

export interface Restart {
  readonly action: 'restart'
  readonly agentId: string
  readonly runId: string
  readonly reason: string
  readonly prompt: string
}

export interface Runs {
  register(run: Run): void
  end(runId: string): void
  /** null: it is not known. */
  agentOf(runId: string): string | null
  /** The run an agent belongs to; null: nobody supervises it. */
  find(agentId: string, runId: string | null): Run | null
  handOver(run: Run, order: { readonly reason: string; readonly prompt: string }): Restart
  /** What to do, once; null: go on. */
  next(runId: string): Restart | null
}

export function createRuns(): Runs {
  const runs = new Map<string, Run>()
  const orders = new Map<string, Restart>()
  return {
    register: run => void runs.set(run.runId, run),
    agentOf: runId => runs.get(runId)?.agentId ?? null,
    end(runId) {
      runs.delete(runId)
      orders.delete(runId)
    },
    find(agentId, runId) {
      if (runId !== null) return runs.get(runId) ?? null
      return [...runs.values()].find(run => run.agentId === agentId) ?? null
    },
    handOver(run, { reason, prompt }) {
      const order: Restart = { action: 'restart', ...run, reason, prompt }
      orders.set(run.runId, order)
      return order
    },
    next(runId) {
      const order = orders.get(runId) ?? null
      orders.delete(runId)
      return order
    },
  }
}
