// What every ledger command does first: find the store, open it, and put into words what stands in the way.
import { existsSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { type Config, readConfig } from '../../config/config-file.ts'
import { findHome } from '../../config/home.ts'
import { openRedactor } from '../../ledger/body-redactor.ts'
import { type LedgerFiles, locateLedger } from '../../ledger/ledger-files.ts'
import { openLedger } from '../../ledger/open-ledger.ts'
import { createLedgerMethods, type LedgerMethodName } from '../../method/ledger.ts'
import { openSqliteStore } from '../../store/open-sqlite-store.ts'
import type { Store } from '../../store/store.ts'
import { StoreError } from '../../store/store-error.ts'
import { type CommandIo, type ExitCode, fail } from '../../terminal/io.ts'
import { runPaths } from '../../wire/run-paths.ts'
import { callDaemon } from '../daemon-status.ts'

export function findFiles(io: CommandIo): LedgerFiles {
  return locateLedger(findHome(io.env))
}

/** Runs `work` on the store as a reader: beside the daemon, or without it. */
export async function withStore(io: CommandIo, work: (store: Store) => Promise<ExitCode>): Promise<ExitCode> {
  return explained(io, async () => {
    const store = await openSqliteStore({ file: findFiles(io).database, readOnly: true })
    try {
      return await work(store)
    } finally {
      await store.close()
    }
  })
}

export type Asked<T> = { readonly kind: 'done'; readonly value: T } | { readonly kind: 'failed'; readonly code: ExitCode }

/** Has the one writer do something: the daemon where it runs, else this process. */
export async function askWriter<T>(
  io: CommandIo,
  method: LedgerMethodName,
  params: Readonly<Record<string, unknown>> = {},
): Promise<Asked<T>> {
  const home = findHome(io.env)
  const answer = await callDaemon(runPaths(home, io.env).socket, method, params)
  if (answer.kind === 'result') return { kind: 'done', value: answer.value as T }
  if (answer.kind !== 'absent') return { kind: 'failed', code: fail(io, `the daemon did not do it: ${answer.why}`) }
  let value: T | undefined
  const code = await explained(io, async () => {
    const onWarning = (message: string): void => void io.stderr.write(`belay: ${message}\n`)
    const ledger = await openLedger({ home, redactor: openRedactor(home), onWarning, lockWaitMs: 2000 })
    try {
      value = (await new Map(createLedgerMethods(ledger, findPerson(io))).get(method)?.(params)) as T
    } finally {
      await ledger.close()
    }
    return 0
  })
  return value === undefined ? { kind: 'failed', code } : { kind: 'done', value }
}

/** No store is "not found"; any other trouble with it is "could not work". */
export async function explained(io: CommandIo, work: () => Promise<ExitCode>): Promise<ExitCode> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    fail(io, error.message)
    return error.code === 'BELAY_STORE_MISSING' ? 1 : 2
  }
}

/** Before anything is begun: the folder that a file is to be written into must be there. */
export function refuseMissingFolder(io: CommandIo, file: string): ExitCode | undefined {
  const folder = dirname(resolvePath(io, file))
  if (!existsSync(folder))
    return fail(io, `${file}: there is no folder ${folder}`, `make it first (mkdir -p '${folder}'), or choose another place`)
  return statSync(folder).isDirectory() ? undefined : fail(io, `${file}: ${folder} is not a folder`, 'choose another place')
}

export function resolvePath(io: CommandIo, path: string): string {
  return resolve(io.cwd, path)
}

/** A broken config.toml is somebody else's message; here it means the defaults. */
function readSettings(io: CommandIo): Config {
  const read = readConfig(join(findHome(io.env), 'config.toml'))
  return read.ok ? read.config : {}
}

export function findPerson(io: CommandIo): string {
  return `human:${readSettings(io).person ?? io.env.USER ?? userInfo().username}`
}
