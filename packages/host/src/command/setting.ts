// One command of config.toml, for callers that start many times a minute: the whole configuration is read only where the file names it.
import { readFileSync } from 'node:fs'

const TABLES = { statusline: 'statusline', fileSuggestion: 'file_suggestion' } as const

/** null: not set, switched off with all hooks, or the file cannot be used (`belay doctor` says so). */
export async function readSetting(configFile: string, name: keyof typeof TABLES): Promise<string | null> {
  let text: string
  try {
    text = readFileSync(configFile, 'utf8')
  } catch {
    return null
  }
  if (!text.includes(TABLES[name])) return null
  const { parseConfig } = await import('../config/config-file.ts')
  const parsed = parseConfig(text, configFile)
  if (!parsed.ok || parsed.config.hooks?.disableAllHooks === true) return null
  return parsed.config[name]?.command ?? null
}
