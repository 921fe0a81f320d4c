// Counters of this process, and gauges of the team, in the text format of Prometheus.
import type { Database } from '../database/open-database.ts'
import { listMachines } from '../witness/list-machines.ts'

export interface HubMetrics {
  count(name: string, by?: number): void
  write(db: Database, silentAfterMs: number): Promise<string>
}

const HELP: Readonly<Record<string, string>> = {
  belay_hub_requests_total: 'requests answered',
  belay_hub_request_errors_total: 'requests that failed inside',
  belay_hub_entries_total: 'entries taken',
  belay_hub_forks_total: 'uploads of a ledger that is not the one it was',
}

export function createHubMetrics(): HubMetrics {
  const counts = new Map(Object.keys(HELP).map(name => [name, 0]))
  return {
    count: (name, by = 1) => {
      counts.set(name, (counts.get(name) ?? 0) + by)
    },
    write: async (db, silentAfterMs) => {
      const counters = [...counts].map(([name, value]) => `# HELP ${name} ${HELP[name]}\n# TYPE ${name} counter\n${name} ${value}\n`)
      const machines = await listMachines(db, silentAfterMs)
      const states = new Map<string, number>()
      for (const { state } of machines) states.set(state, (states.get(state) ?? 0) + 1)
      const gauges = [...states].map(([state, number]) => `belay_hub_machines{state="${state}"} ${number}\n`)
      const problems = machines.filter(machine => machine.problems.length > 0).length
      const lag = Math.max(0, ...machines.map(machine => machine.lag))
      return [
        ...counters,
        '# HELP belay_hub_machines machines by state\n# TYPE belay_hub_machines gauge\n',
        ...gauges,
        `# HELP belay_hub_named_machines machines about which there is a finding\n# TYPE belay_hub_named_machines gauge\nbelay_hub_named_machines ${problems}\n`,
        `# HELP belay_hub_lag_entries entries that the machine furthest behind has not sent\n# TYPE belay_hub_lag_entries gauge\nbelay_hub_lag_entries ${lag}\n`,
      ].join('')
    },
  }
}
