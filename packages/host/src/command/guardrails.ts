// `belay guardrails list | explain | try`: what there is, how it is switched on, and what it would say to a call.
import { findGuardrail, GUARDRAILS, listGuardrails } from '@belay/core'
import { GUARDRAIL_EXAMPLES } from '../guardrail/guardrail-example.ts'
import { type CommandIo, type ExitCode, fail, printJson, printLine } from '../terminal/io.ts'
import { renderTable } from '../terminal/table.ts'
import { asTrusted, loadForCommand, printBroken } from './policies.ts'

export interface GuardrailRow {
  readonly name: string
  readonly event: string
  readonly mode: string
  readonly description: string
}

export function runGuardrailsList({ json }: { readonly json?: boolean }, io: CommandIo): ExitCode {
  const loaded = loadForCommand(io)
  printBroken(io, { loaded, hookFiles: [] })
  const active = listGuardrails(loaded.policies)
  const rows = GUARDRAILS.map(({ name, description, events }): GuardrailRow & { readonly inert: string | null } => {
    const set = active.find(({ setting }) => setting.name === name)
    return { name, event: events[0] ?? '', mode: set?.mode ?? 'off', description, inert: set?.inert ?? null }
  })
  if (json === true) {
    printJson(
      io,
      rows.map(({ inert: _inert, ...row }) => row),
    )
    return 0
  }
  printLine(
    io.stdout,
    renderTable(
      io,
      ['NAME', 'EVENT', 'MODE', 'WHAT IT DOES'],
      rows.map(row => [row.name, row.event, row.mode, row.description]),
      'no guardrails',
    ),
  )
  for (const { inert } of rows) if (inert !== null) printLine(io.stderr, inert)
  return 0
}

export function runGuardrailsExplain({ name, json }: { readonly name: string; readonly json?: boolean }, io: CommandIo): ExitCode {
  const guardrail = findGuardrail(name)
  if (guardrail === null) return unknownName(io, name)
  const loaded = loadForCommand(io)
  const set = listGuardrails(asTrusted(io, loaded.policies)).find(({ setting }) => setting.name === name)
  const { description, events } = guardrail
  const example = GUARDRAIL_EXAMPLES[guardrail.name]
  if (json === true) {
    printJson(io, { name, description, events, mode: set?.mode ?? 'off', config: set?.setting.config ?? null, example })
    return 0
  }
  printLine(io.stdout, `${name}: ${description}`)
  printLine(io.stdout, `listens to ${events.join(', ')}`)
  printLine(
    io.stdout,
    set === undefined ? 'off here: no policy names it' : `${set.mode}, set in ${set.setting.place.file}:${set.setting.place.line}`,
  )
  printLine(io.stdout, `\nIn genesis.key:\n\nguardrails:\n${example.replace(/^(?=.)/gm, '  ')}`)
  return 0
}

export function unknownName(io: CommandIo, name: string): ExitCode {
  return fail(io, `there is no guardrail ${name}`, `there are ${GUARDRAILS.map(each => each.name).join(', ')}`)
}
