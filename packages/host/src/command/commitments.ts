// belay commitments: what there is, one with its history, and ledgers of the older tool in and out.

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { errorText } from '@belay/core/value'
import type { Commitment, Memory } from '../commitment/board.ts'
import { type CommandIo, type ExitCode, fail, hint } from '../terminal/io.ts'
import { renderTable } from '../terminal/table.ts'
import { visibleText } from '../terminal/visible.ts'
import { findCaller } from './commit-caller.ts'
import { renderFields, runVerb } from './state-call.ts'

export interface ListOptions {
  readonly state?: string
  readonly claimedBy?: string
  readonly tag?: string
  readonly all?: boolean
  readonly json?: boolean
}

export function runCommitments({ json, ...params }: ListOptions, io: CommandIo): Promise<ExitCode> {
  const isFiltered = [params.state, params.claimedBy, params.tag].some(given => given !== undefined)
  return runVerb<{ commitments: readonly Commitment[]; memories: readonly Memory[] }>(io, {
    method: 'commitments.list',
    params,
    json,
    render: ({ commitments }) =>
      renderTable(
        io,
        ['id', 'state', 'tier', 'claimed by', 'evidence', 'title'],
        commitments.map(({ id, state, tier, claimedBy, evidence, title }) => [id, state, tier, claimedBy, evidence, visibleText(title)]),
        isFiltered
          ? hint(io, 'no such commitments here; belay commitments lists them all')
          : hint(io, 'no commitments here; make one with: belay commit "TEXT"'),
      ),
  })
}

const IMPORT_MS = 300_000

interface Shown {
  readonly commitment: Commitment
  readonly legal: readonly string[]
  readonly history: readonly {
    readonly time: string
    readonly actor: string
    readonly operation: string
    readonly body: { readonly text?: unknown }
  }[]
}

export function runCommitmentShow(id: string, { json }: { readonly json?: boolean }, io: CommandIo): Promise<ExitCode> {
  return runVerb<Shown>(io, {
    method: 'commitments.show',
    params: { id },
    json,
    render: ({ commitment, legal, history }) => {
      const lines = history.map(({ time, actor, operation, body }) =>
        `${time}  ${operation}  ${actor}  ${typeof body.text === 'string' ? visibleText(body.text) : ''}`.trimEnd(),
      )
      return renderFields({ ...commitment, title: visibleText(commitment.title), possible: legal.join(', '), history: lines })
    },
  })
}

export async function runCommitmentImport(file: string, { json }: { readonly json?: boolean }, io: CommandIo): Promise<ExitCode> {
  const { agent } = findCaller(io)
  // What is imported is taken as it is, approvals included.
  if (agent !== null) return fail(io, `importing is for people, and this command was started by an agent (${agent})`)
  let text: string
  try {
    text = readFileSync(resolve(io.cwd, file), 'utf8')
  } catch (error) {
    return fail(io, `${file} cannot be read: ${errorText(error)}`)
  }
  return runVerb<{ imported: number; added: number }>(io, {
    method: 'commitments.import',
    params: { lines: text.split('\n').filter(line => line.trim() !== '') },
    json,
    timeoutMs: IMPORT_MS,
    render: ({ imported, added }) =>
      `${imported} operations imported from ${file}${added < imported ? `; ${imported - added} of them were there already` : ''}`,
  })
}

export function runCommitmentExport(io: CommandIo): Promise<ExitCode> {
  return runVerb<{ lines: readonly string[] }>(io, { method: 'commitments.export', render: ({ lines }) => lines.join('\n') })
}
