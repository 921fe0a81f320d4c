// Makes a written file survive a power cut: its bytes, and its name in the directory.
import { closeSync, fsyncSync, openSync } from 'node:fs'
import { dirname } from 'node:path'

export function syncFile(file: string): void {
  syncPath(file)
  syncPath(dirname(file))
}

function syncPath(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
