// `belay-hub verify`: every chain, row, checkpoint and signature; 1 where something or some machine is not as it should be.
import { type HubReport, verifyHub } from '../witness/verify-hub.ts'
import { cleanCell } from './format-table.ts'
import { type HubIo, withHub } from './open-hub.ts'

export async function runVerify(options: { readonly config?: string; readonly json?: boolean }, io: HubIo): Promise<number> {
  return withHub(options.config, io, async ({ db, signer, config }) => {
    const report = await verifyHub(db, signer, {
      silentAfterMs: config.silentAfterMinutes * 60_000,
      onProgress: (done, total) => {
        if (!options.json && total >= 100 && done % 100 === 0) io.err(`${done} of ${total} machines\n`)
      },
    })
    io.out(options.json ? `${JSON.stringify(report)}\n` : describe(report))
    return report.ok ? 0 : 1
  })
}

function describe({ ok, hub, machines }: HubReport): string {
  const entries = machines.flatMap(machine => machine.chains).reduce((sum, chain) => sum + chain.entries, 0)
  const lines = hub.problems.map(({ kind, what }) => `the hub itself: ${kind}: ${what}`)
  for (const { name, machine, problems } of machines)
    for (const { kind, what } of problems) lines.push(`${name} (${machine}): ${kind}: ${what}`)
  lines.push(`${ok ? 'good' : 'NOT good'}: ${machines.length} machines, ${entries} entries, ${hub.entries} acts of the hub`)
  return lines.map(line => `${cleanCell(line)}\n`).join('')
}
