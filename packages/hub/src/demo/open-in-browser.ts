// Opens a link where somebody sits in front of a screen; elsewhere it was printed, and that is enough.
import { spawn } from 'node:child_process'

export function openInBrowser(link: string): void {
  const isScreen = process.platform === 'darwin' || process.env.DISPLAY !== undefined || process.env.WAYLAND_DISPLAY !== undefined
  if (!isScreen || process.stdout.isTTY !== true) return
  const opener = spawn(process.platform === 'darwin' ? 'open' : 'xdg-open', [link], { stdio: 'ignore', detached: true })
  opener.on('error', () => undefined)
  opener.unref()
}
