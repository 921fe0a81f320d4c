// Gives the reader a file that the daemon sends to this page only.
import { DaemonError } from '../daemon/daemon-error.ts'
import { pageHeaders } from '../daemon/page-key.ts'
import { saveFile } from '../part/save-file.ts'

/** The session answers only with the page's key, so a plain link would not do. */
export async function saveFrom(address: string, name: string): Promise<void> {
  const response = await fetch(address, { headers: pageHeaders(), credentials: 'same-origin' })
  if (!response.ok)
    throw new DaemonError(`The daemon answered ${response.status}: ${(await response.text()).slice(0, 300)}`, response.status)
  saveFile(name, await response.blob())
}
