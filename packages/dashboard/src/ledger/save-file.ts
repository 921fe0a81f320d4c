// Gives the reader a file that was made here, or that the daemon sends to this page only.
import { DaemonError } from '../daemon/daemon-error.ts'
import { pageHeaders } from '../daemon/page-key.ts'

export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** The session answers only with the page's key, so a plain link would not do. */
export async function saveFrom(address: string, name: string): Promise<void> {
  const response = await fetch(address, { headers: pageHeaders(), credentials: 'same-origin' })
  if (!response.ok)
    throw new DaemonError(`The daemon answered ${response.status}: ${(await response.text()).slice(0, 300)}`, response.status)
  saveFile(name, await response.blob())
}
