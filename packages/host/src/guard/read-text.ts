import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readRegularFile } from '../disk/read-regular-file.ts'

/** What an agent reads there; nothing where it cannot. */
export function readText(path: string): string {
  try {
    return readRegularFile(path).toString('utf8')
  } catch {
    // Nor does the agent.
    return ''
  }
}

/** More than that no agent takes into one text. */
const MAX_FILES = 500

/** The same of all that lies below a folder. */
export function readTexts(path: string): readonly string[] {
  return namesBelow(path).map(name => readText(join(path, name)))
}

function namesBelow(path: string): readonly string[] {
  try {
    return readdirSync(path, { recursive: true, encoding: 'utf8' }).slice(0, MAX_FILES)
  } catch {
    // A file, or nothing.
    return ['']
  }
}
