// libsql asks Node for a whole diagnostic report, only to learn which C library it runs on. That takes longer than opening the database, so while
// it is loaded the report says that one thing, read from the program itself.
import { closeSync, openSync, readSync } from 'node:fs'

export async function withQuickReport<T>(load: () => Promise<T>): Promise<T> {
  const { report } = process
  const library = process.platform === 'linux' ? findLibrary() : null
  if (report === undefined || library === null) return load()
  const whole = report.getReport
  report.getReport = () => ({ header: library === 'glibc' ? { glibcVersionRuntime: '' } : {} })
  try {
    return await load()
  } finally {
    report.getReport = whole
  }
}

const HEADER_BYTES = 4096

/** The loader that a program asks for stands among its first bytes; null: it cannot be told. */
function findLibrary(): 'glibc' | 'musl' | null {
  try {
    const file = openSync(process.execPath, 'r')
    const head = Buffer.alloc(HEADER_BYTES)
    readSync(file, head, 0, HEADER_BYTES, 0)
    closeSync(file)
    if (head.includes('/ld-musl-')) return 'musl'
    return head.includes('/ld-linux') ? 'glibc' : null
  } catch {
    return null
  }
}
