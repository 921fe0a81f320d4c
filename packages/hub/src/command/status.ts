// `belay-hub status`: the machines of the team, how far each was heard, and what is to be said about it.
import { listMachines, type MachineRow } from '../witness/list-machines.ts'
import { formatTable } from './format-table.ts'
import { type HubIo, withHub } from './open-hub.ts'

export async function runStatus(options: { readonly config?: string; readonly json?: boolean }, io: HubIo): Promise<number> {
  return withHub(options.config, io, async ({ db, config }) => {
    const machines = await listMachines(db, config.silentAfterMinutes * 60_000)
    if (options.json) io.out(`${JSON.stringify({ machines })}\n`)
    else if (machines.length === 0) io.out('no machine has joined yet; `belay-hub token join` makes a token for one\n')
    else io.out(formatTable(['machine', 'id', 'state', 'last seen', 'entries', 'cosigned', 'lag', 'findings'], machines.map(rowOf)))
    return 0
  })
}

function rowOf({ name, id, state, lastSeen, entries, cosigned, lag, problems }: MachineRow): readonly string[] {
  const seen = lastSeen?.toISOString() ?? 'never'
  return [name, id, state, seen, String(entries), String(cosigned), String(lag), problems.map(({ kind }) => kind).join(', ')]
}
