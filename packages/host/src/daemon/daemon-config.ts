// config.toml as the daemon reads it: as it is now, whenever somebody asks. A file that cannot be read changes nothing but a loud warning.
import { userInfo } from 'node:os'
import { type Config, readConfig } from '../config/config-file.ts'
import { homePaths } from '../config/home.ts'
import { type FilePrints, takePrints } from '../disk/file-prints.ts'
import type { LogLine } from '../terminal/log-line.ts'

/** Reads the file again only when it has changed. */
export function openConfig(home: string, log: (line: LogLine) => void): () => Config {
  const file = homePaths(home).config
  let prints: FilePrints | null = null
  let config: Config = {}
  let told = ''
  return () => {
    if (prints?.areSame() === true) return config
    prints = takePrints([file])
    const read = readConfig(file)
    if (read.ok) config = read.config
    // Told once, however often it is read.
    const problem = read.ok ? '' : JSON.stringify(read.errors)
    if (!read.ok && problem !== told)
      for (const { place, message } of read.errors)
        log({
          level: 'error',
          message: 'config.toml is not used; what held before stays',
          file: place.file,
          line: place.line,
          why: message,
        })
    told = problem
    return config
  }
}

/** `human:<name>`: as configured, else the user of this machine. */
export function personOf(config: Config): string {
  return `human:${config.person ?? userInfo().username}`
}
