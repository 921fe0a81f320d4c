// What every command needs: the configuration, the database in its version, and the hub's key.
import { existsSync } from 'node:fs'
import { userInfo } from 'node:os'
import type { NoteSigner } from '@belay/core/ledger'
import { errorText } from '@belay/core/value'
import { readKeyFile } from '../chain/hub-key.ts'
import { type HubConfig, readConfig } from '../config/hub-config.ts'
import { HubProblem } from '../database/hub-problem.ts'
import { findVersionProblem } from '../database/migrate.ts'
import { type Database, openDatabase } from '../database/open-database.ts'

export interface HubIo {
  readonly env: NodeJS.ProcessEnv
  out(text: string): void
  err(text: string): void
}

export interface OpenHub {
  readonly config: HubConfig
  readonly db: Database
  readonly signer: NoteSigner
  /** Who runs the command, for the record. */
  readonly actor: string
}

export function needConfig(file: string | undefined, io: HubIo): HubConfig {
  const read = readConfig(file, io.env)
  if (!read.ok) throw new HubProblem(read.why)
  return read.config
}

export async function withHub<T>(file: string | undefined, io: HubIo, work: (hub: OpenHub) => Promise<T>): Promise<T> {
  const config = needConfig(file, io)
  if (!existsSync(config.keyFile))
    throw new HubProblem(`the hub's key ${config.keyFile} is not there; \`belay-hub init\` makes it, key_file says where it is`)
  const signer = readHubKey(config.keyFile)
  const { db, close } = openDatabase(config.databaseUrl, message => io.err(`${message}\n`))
  try {
    const problem = await findVersionProblem(db)
    if (problem !== undefined) throw new HubProblem(problem)
    return await work({ config, db, signer, actor: nameActor() })
  } finally {
    await close()
  }
}

function readHubKey(file: string): NoteSigner {
  try {
    return readKeyFile(file)
  } catch (error) {
    throw new HubProblem(`the hub's key ${file} cannot be read: ${errorText(error)}; put it back from where you keep a copy`)
  }
}

export function nameActor(): string {
  return `host:${userInfo().username}`
}
