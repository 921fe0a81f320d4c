// The name of a server in `mcp__<server>__<tool>` where nobody gave one: from what starts it, never from what it says about itself.
import { basename } from 'node:path'

const RUNNERS = new Set([
  'npx',
  'npm',
  'pnpm',
  'yarn',
  'bunx',
  'bun',
  'node',
  'deno',
  'uv',
  'uvx',
  'python',
  'python3',
  'env',
  'run',
  'exec',
  'dlx',
])

/** `npx -y @scope/server-files@1.2 /data` -> `server-files`. */
export function nameOfCommand(words: readonly string[]): string {
  const word = words.find(each => !each.startsWith('-') && !each.includes('=') && !RUNNERS.has(basename(each)))
  return cleanName(
    basename(word ?? words[0] ?? '')
      .replace(/(?<=.)@.*$/, '')
      .replace(/\.(?:[cm]?[jt]s|py|exe)$/, ''),
  )
}

/** `https://mcp.example.com/mcp` -> `mcp_example_com`. */
export function nameOfUrl({ hostname }: URL): string {
  return cleanName(hostname)
}

/** As agents spell it: two underscores end the name. */
function cleanName(text: string): string {
  const clean = text
    .replace(/[^\w-]/g, '_')
    .replace(/_{2,}/g, '_')
    .replace(/^_+|_+$/g, '')
  return clean === '' ? 'server' : clean
}

export function isServerName(text: string): boolean {
  return /^[A-Za-z0-9-](?:[\w-]*[A-Za-z0-9-])?$/.test(text) && !text.includes('__')
}
