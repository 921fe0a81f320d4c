// A checkpoint (c2sp.org/tlog-checkpoint): which log, how many records, which root. Signed as a note, it seals every record up to its size.
import type { TreeHead } from './proof.ts'

export interface Checkpoint extends TreeHead {
  readonly origin: string
}

export function formatCheckpoint(checkpoint: Checkpoint): string {
  return `${checkpoint.origin}\n${checkpoint.size}\n${checkpoint.root.toString('base64')}\n`
}

/** Reads the text of a note. Further lines are allowed by the format and ignored. */
export function parseCheckpoint(text: string): Checkpoint | undefined {
  const [origin, size, root] = text.split('\n')
  if (!origin || size === undefined || root === undefined || !/^(0|[1-9]\d{0,15})$/.test(size)) return undefined
  const bytes = Buffer.from(root, 'base64')
  if (bytes.length !== 32 || bytes.toString('base64') !== root) return undefined
  return { origin, size: Number(size), root: bytes }
}
