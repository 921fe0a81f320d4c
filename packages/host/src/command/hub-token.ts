// Who a person is at the hub: a token from a file or the environment, never from the command line, where everybody sees it.
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { CommandIo } from '../terminal/io.ts'

export interface TokenOption {
  readonly tokenFile?: string
}

export const NO_TEAM = 'this machine has joined no team; `belay join URL TOKEN` changes that'
export const NO_TOKEN = 'say who you are at the hub: a token of `belay-hub token person YOUR-NAME`, in BELAY_HUB_TOKEN or --token-file FILE'

export function readHubToken({ tokenFile }: TokenOption, io: CommandIo): string | undefined {
  if (tokenFile === undefined) return io.env.BELAY_HUB_TOKEN || undefined
  const file = resolve(io.cwd, tokenFile)
  return existsSync(file) ? readFileSync(file, 'utf8').trim() || undefined : undefined
}
