// Room for the write-ahead log, taken before it is needed. A commit that makes a file longer takes the disk twice as long as one that writes
// over what is there; SQLite starts its log over in the same file after each checkpoint and never looks behind what it wrote itself.
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs'

const CHUNK = Buffer.alloc(1024 * 1024)

/** Only for whoever writes the log, between two commits. Takes all of it or nothing. */
export function reserveLog(database: string, bytes: number): void {
  const file = openSync(`${database}-wal`, 'r+')
  const { size } = fstatSync(file)
  try {
    for (let at = size; at < bytes; at += CHUNK.length) writeSync(file, CHUNK, 0, Math.min(CHUNK.length, bytes - at), at)
    if (size < bytes) fsyncSync(file)
  } catch (error) {
    // A disk that is nearly full has better use for it.
    ftruncateSync(file, size)
    throw error
  } finally {
    closeSync(file)
  }
}
