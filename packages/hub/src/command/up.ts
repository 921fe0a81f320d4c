// `belay-hub up`: one process of the hub, in the foreground, until it is told to stop.
import { findOwnChain } from '../act/record-act.ts'
import { startHub } from '../http/start-hub.ts'
import { type HubIo, withHub } from './open-hub.ts'

export interface UpOptions {
  readonly config?: string
  readonly port?: number
}

export async function runUp(options: UpOptions, io: HubIo): Promise<number> {
  return withHub(options.config, io, async ({ db, signer, config }) => {
    // Fails where the key is not that of this database: nothing could be recorded.
    await findOwnChain(db, signer.name)
    const hub = await startHub({
      db,
      signer,
      config: { ...config, port: options.port ?? config.port },
      log: line => io.err(`${new Date().toISOString()} ${line}\n`),
    })
    io.out(`belay-hub answers at ${hub.url}\n`)
    await new Promise<void>(resolve => {
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve())
    })
    await hub.stop()
    io.out('belay-hub has stopped\n')
    return 0
  })
}
