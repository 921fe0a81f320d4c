// What init did in each project, so that it can be taken back there without taking it from the others.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentId } from '@belay/core/adapter'
import { findHome } from '../config/home.ts'
import { replaceFile } from '../disk/write-file.ts'
import type { CommandIo } from '../terminal/io.ts'
import { placeOf } from './install.ts'

export interface InitRecord {
  /** The project; absent in records of earlier versions. */
  readonly root?: string
  readonly policy: { readonly path: string; readonly hash: string } | null
  /** The tests beside it; absent: an older version wrote none. */
  readonly tests?: { readonly path: string; readonly hash: string } | null
  /** Schemas for editors; absent: an older version wrote none. */
  readonly schemas?: readonly { readonly path: string; readonly hash: string }[]
  /** Agents that had no Belay before. */
  readonly agents: readonly AgentId[]
  readonly startedDaemon: boolean
}

export function readInit(io: CommandIo): InitRecord | null {
  return readRecordFile(recordFile(io))
}

export function writeInit(io: CommandIo, record: Omit<InitRecord, 'root'>): void {
  writeRecordFile(recordFile(io), { root: placeOf(io, 'project').projectRoot, ...record })
}

export function dropInit(io: CommandIo): void {
  rmSync(recordFile(io), { force: true })
}

/** Another project that init guards too. */
export interface OtherInit {
  readonly name: string
  /** What this one brought is that one's from now on, to be taken back there. */
  inherit(from: InitRecord): void
}

/** Null: no other project that is still there. */
export function findOtherInit(io: CommandIo): OtherInit | null {
  const own = recordFile(io)
  for (const name of readdirSync(recordFolder(io))) {
    const file = join(recordFolder(io), name)
    if (file === own || !/^init-[0-9a-f]{12}\.json$/.test(name)) continue
    const other = readRecordFile(file)
    if (other === null || (other.root !== undefined && !existsSync(other.root))) continue
    return {
      name: other.root ?? other.policy?.path ?? 'another project',
      inherit: from =>
        writeRecordFile(file, {
          ...other,
          agents: [...new Set([...other.agents, ...from.agents])],
          startedDaemon: other.startedDaemon || from.startedDaemon,
        }),
    }
  }
  return null
}

function recordFolder(io: CommandIo): string {
  return join(findHome(io.env), 'install')
}

function recordFile(io: CommandIo): string {
  const key = createHash('sha256').update(placeOf(io, 'project').projectRoot).digest('hex').slice(0, 12)
  return join(recordFolder(io), `init-${key}.json`)
}

function readRecordFile(path: string): InitRecord | null {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as InitRecord) : null
}

function writeRecordFile(path: string, record: InitRecord): void {
  replaceFile(path, `${JSON.stringify(record, null, 2)}\n`, 0o600)
}
