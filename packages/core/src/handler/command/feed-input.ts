// Hands the event to the hook. A hook that exits or closes its input without reading it is not an error.
import type { Writable } from 'node:stream'

export function feedInput(stdin: Writable, text: string): void {
  stdin.on('error', () => stdin.destroy())
  stdin.end(text)
}
