// One command of config.toml, for callers that start many times a minute: the whole configuration is read only where the file names it.
import { readFileSync } from 'node:fs'
import { findHome, homePaths } from '../config/home.ts'
import type { CommandIo } from '../terminal/io.ts'

const TABLES = { statusline: 'statusline', fileSuggestion: 'file_suggestion' } as const

/** null: not set, switched off with all hooks, or the file cannot be used (`belay doctor` says so). `directory`: where the agent works. */
export async function readSetting(
  io: Pick<CommandIo, 'env' | 'etc'>,
  directory: string,
  name: keyof typeof TABLES,
): Promise<string | null> {
  const home = findHome(io.env)
  const { config: configFile } = homePaths(home)
  let text: string
  try {
    text = readFileSync(configFile, 'utf8')
  } catch {
    return null
  }
  if (!text.includes(TABLES[name])) return null
  const { parseConfig } = await import('../config/config-file.ts')
  const parsed = parseConfig(text, configFile)
  const command = parsed.ok ? (parsed.config[name]?.command ?? null) : null
  if (command === null) return null
  const { loadGuard } = await import('../guard/load-guard.ts')
  const { settings } = loadGuard(directory, { home, etc: io.etc, env: io.env })
  return settings.disableAllHooks === true ? null : command
}
