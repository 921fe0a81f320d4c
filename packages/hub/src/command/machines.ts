// `belay-hub machines revoke`: a machine that must not send any more. What it has sent stays.
import { recordAct } from '../act/record-act.ts'
import { HubProblem } from '../database/hub-problem.ts'
import { endMachine } from '../machine/login-machine.ts'
import { type HubIo, withHub } from './open-hub.ts'

export async function runMachinesRevoke(
  id: string,
  options: { readonly config?: string; readonly json?: boolean },
  io: HubIo,
): Promise<number> {
  return withHub(options.config, io, async ({ db, signer, actor }) => {
    await db.transaction().execute(async tx => {
      if (!(await endMachine(tx, id, 'revoked')))
        throw new HubProblem(`no machine ${id} is of the team; \`belay-hub status\` shows their ids`)
      await recordAct(tx, signer, { actor, kind: 'machine_revoked', body: { machine: id } })
    })
    io.out(options.json ? `${JSON.stringify({ machine: id })}\n` : `machine ${id} is revoked\n`)
    return 0
  })
}
