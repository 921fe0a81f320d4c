// Reads that failed for want of a descriptor, of memory or the like say nothing of the file. Whoever keeps what was made of files asks whether
// there was such a read meanwhile, and keeps nothing of it.
const WANTS: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EINTR', 'EIO'])
let count = 0

export function noteWant(error: unknown): void {
  if (error instanceof Error && 'code' in error && WANTS.has(error.code)) count++
}

/** Grows with each of them. */
export function countWants(): number {
  return count
}
