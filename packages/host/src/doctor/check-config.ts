// config.toml: one that is broken is as good as none, and that is easily overlooked.
import { readConfig } from '../config/config-file.ts'
import { homePaths } from '../config/home.ts'
import type { Finding } from '../install/finding.ts'

/** Nothing where all is well: most people have none. */
export function checkConfig(home: string): readonly Finding[] {
  const read = readConfig(homePaths(home).config)
  if (read.ok) return []
  return read.errors.map(
    ({ message, place: { file, line, column } }): Finding => ({
      agent: null,
      check: 'config',
      state: 'fail',
      message: `${file}:${line}:${column} ${message}`,
      remedy: 'correct it there; until then the defaults, or what held before, are in force',
    }),
  )
}
