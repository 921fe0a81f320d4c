// The daemon's log: a line of JSON per event, the last few files kept.
import { appendFileSync, existsSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from '../disk/make-folder.ts'
import type { LogLine } from '../terminal/log-line.ts'

const MAX_BYTES = 5 * 1024 * 1024
const FILES_KEPT = 3

export function openLog(file: string): { write(line: LogLine): void } {
  makeFolder(dirname(file), 0o700)
  let written = 0
  return {
    write(line) {
      const text = `${JSON.stringify({ time: new Date().toISOString(), ...line })}\n`
      written += text.length
      if (written > MAX_BYTES / 10) {
        rotateLog(file)
        written = 0
      }
      appendFileSync(file, text, { mode: 0o600 })
    },
  }
}

/** daemon.log -> daemon.log.1 -> daemon.log.2 ... */
export function rotateLog(file: string): void {
  if (!existsSync(file) || statSync(file).size < MAX_BYTES) return
  for (let n = FILES_KEPT - 1; n >= 1; n--) if (existsSync(`${file}.${n}`)) renameSync(`${file}.${n}`, `${file}.${n + 1}`)
  renameSync(file, `${file}.1`)
}
