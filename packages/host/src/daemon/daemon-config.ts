// config.toml as the daemon reads it.
import { userInfo } from 'node:os'
import { type Config, readConfig } from '../config/config-file.ts'
import { homePaths } from '../config/home.ts'
import type { LogLine } from './log-line.ts'

/** A file that cannot be read changes nothing but a loud warning. */
export function loadConfig(home: string, log: (line: LogLine) => void): Config {
  const read = readConfig(homePaths(home).config)
  if (read.ok) return read.config
  for (const { place, message } of read.errors)
    log({ level: 'error', message: 'config.toml is not used', file: place.file, line: place.line, why: message })
  return {}
}

/** `human:<name>`: as configured, else the user of this machine. */
export function personOf(config: Config): string {
  return `human:${config.person ?? userInfo().username}`
}
