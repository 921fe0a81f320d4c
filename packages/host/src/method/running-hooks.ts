// hooks.running | hooks.cancel: what runs now, and a person's way to stop one of it. What is stopped has failed, by its `fail`; recorded.
import type { EntryDraft } from '@belay/core/ledger'
import type { RunningHooks } from '../guard/running-hooks.ts'
import { needText, type Params } from '../rpc/param.ts'
import { RPC_REFUSED, RpcError } from '../rpc/rpc.ts'

export interface RunningMethodOptions {
  readonly running: RunningHooks
  /** `human:<name>` of this machine. */
  readonly person: string
  /** Resolves when it is on disk. */
  record(draft: EntryDraft): Promise<unknown>
}

export function createRunningMethods(options: RunningMethodOptions) {
  return [
    ['hooks.running', () => ({ hooks: options.running.list() })],
    ['hooks.cancel', (params: Params) => cancel(options, needText(params, 'id'))],
  ] as const
}

async function cancel({ running, person, record }: RunningMethodOptions, id: string) {
  const found = running.list().find(each => each.id === id)
  if (found === undefined) throw new RpcError(RPC_REFUSED, `no hook ${id} is running; belay hooks running lists those that are`)
  const { hook, scope, place, event, tool, agent, agentId, session, root } = found
  const body = { run: id, hook, scope, place, event, tool, agent, agentId, root }
  await record({ actor: person, session, kind: 'hook_cancel', policy: null, body })
  return { cancelled: running.stop(id) !== null, hook: found }
}
