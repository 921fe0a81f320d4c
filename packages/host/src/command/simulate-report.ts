// What a simulation found, for a terminal.
import type { SimulatedHook, Simulation } from '../guard/simulate.ts'
import { type CommandIo, printLine } from '../terminal/io.ts'
import { paint, paintDecision } from '../terminal/style.ts'
import { columns } from '../terminal/table.ts'

export function printSimulation(
  io: CommandIo,
  simulation: Simulation,
  call: { readonly tool: string; readonly event: string; readonly actor: string },
): void {
  printLine(io.stdout, `${call.event} ${call.tool} by ${call.actor}`)
  const rows = simulation.hooks.map((hook, index) => [`${index + 1}.`, hook.name, hook.matcher ?? '*', describeHook(hook)])
  if (rows.length > 0) printLine(io.stdout, columns(io, rows, '  '))
  else printLine(io.stdout, '  no hooks for this event')
  const { permissions } = simulation
  if (permissions !== null) {
    const rule = permissions.rule === null ? '' : ` by ${permissions.rule}${permissions.place === null ? '' : ` (${permissions.place})`}`
    printLine(io.stdout, `  permissions: ${permissions.decision}${rule}`)
  }
  printLine(io.stdout, `${paint(io, 'bold', 'result:')} ${paintDecision(io, simulation.decision)}`)
  printLine(io.stdout, `  ${simulation.decision === 'deny' ? `Tool denied: ${simulation.reason}` : simulation.reason}`)
}

function describeHook({ matched, outcome, decision, reason, skipped, ms }: SimulatedHook): string {
  if (outcome === null) return matched || skipped !== 'matcher' ? `skipped: ${skipped ?? ''}` : 'does not match'
  return `${decision ?? 'none'}${outcome === 'success' || outcome === 'blocking' ? '' : ` (${outcome})`}${reason === null ? '' : `: ${reason}`}  ${ms} ms`
}
