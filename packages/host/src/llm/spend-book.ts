// What models cost today, kept across restarts of the daemon: a budget that a restart resets is none.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SpendBook } from '@belay/core'
import { makeFolder } from '../disk/make-folder.ts'

export function openSpendBook(home: string, now: () => number = Date.now): SpendBook {
  const file = join(home, 'llm-spend.json')
  const today = () => new Date(now()).toISOString().slice(0, 10)
  const read = (): number => {
    const { day, usd } = readPage(file)
    return day === today() ? usd : 0
  }
  return {
    today: read,
    add(usd) {
      makeFolder(home, 0o700)
      writeFileSync(`${file}.new`, `${JSON.stringify({ day: today(), usd: read() + usd })}\n`, { mode: 0o600 })
      renameSync(`${file}.new`, file)
    },
  }
}

function readPage(file: string): { readonly day: string; readonly usd: number } {
  try {
    const { day, usd } = JSON.parse(readFileSync(file, 'utf8')) as { readonly day?: unknown; readonly usd?: unknown }
    if (typeof day === 'string' && typeof usd === 'number') return { day, usd }
    throw new Error(`${file} cannot be read; remove it to begin anew`)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { day: '', usd: 0 }
    throw error
  }
}
