// Checkpoints of stop harnesses: one small file each, replaced in one step and on disk before anybody hears of it.
import { createHash } from 'node:crypto'
import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { HarnessState } from '@belay/core'
import { makeFolder } from '../disk/make-folder.ts'

export interface HarnessFiles {
  load(key: string): Promise<HarnessState | null>
  save(key: string, state: HarnessState): Promise<void>
}

export function openHarnessFiles(home: string): HarnessFiles {
  const folder = join(home, 'harness')
  const fileOf = (key: string) => join(folder, `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.json`)
  let turn: Promise<void> = Promise.resolve()
  return {
    async load(key) {
      try {
        return readState(await readFile(fileOf(key), 'utf8'))
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
        throw error
      }
    },
    save(key, state) {
      // One after another: two writers of one temporary file would mix.
      const done = turn.then(() => write(folder, fileOf(key), { key, ...state }))
      turn = done.catch(() => undefined)
      return done
    },
  }
}

async function write(folder: string, path: string, state: object): Promise<void> {
  makeFolder(folder, 0o700)
  const file = await open(`${path}.new`, 'w', 0o600)
  try {
    await file.writeFile(`${JSON.stringify(state)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.new`, path)
}

const STATES = ['active', 'handed_over', 'done', 'given_up'] as const

function readState(text: string): HarnessState {
  const value = JSON.parse(text) as Partial<HarnessState>
  const state = STATES.find(each => each === value.state)
  if (state === undefined || typeof value.iteration !== 'number') throw new Error('the checkpoint of the stop harness cannot be read')
  const { iteration, held = 0, session = '', problems = [], updatedAt = '' } = value
  return { iteration, state, held, session, problems, updatedAt }
}
