// Names a second place for checkpoints in config.toml, so that whoever can edit the database cannot cut it unseen.
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseConfig } from '../config/config-file.ts'
import { replaceFile } from '../disk/write-file.ts'

export type AddedPlace =
  | { readonly ok: true; readonly place: string; readonly isNew: boolean }
  | { readonly ok: false; readonly why: string }

/** Editors complete and check the file by what it names: `init` puts the schema there. */
const SCHEMA_LINE = '#:schema schema/config.json\n'

/** `text` as a person gives it: a file, git:REPOSITORY or a URL, seen from `folder`. */
export function addCheckpointPlace(configFile: string, text: string, folder: string): AddedPlace {
  const place = toAbsolute(text, folder)
  const before = existsSync(configFile) ? readFileSync(configFile, 'utf8') : ''
  const read = parseConfig(before, configFile)
  if (!read.ok) return { ok: false, why: `${configFile} cannot be used: ${read.errors[0]?.message}` }
  const places = read.config.ledger?.export ?? []
  if (places.includes(place)) return { ok: true, place, isNew: false }
  if (places.length > 0 || read.config.ledger !== undefined)
    return { ok: false, why: `${configFile} has a table [ledger] already: add ${JSON.stringify(place)} to its export` }
  const begun = before === '' ? SCHEMA_LINE : before
  const after = `${begun.endsWith('\n') ? begun : `${begun}\n`}\n[ledger]\nexport = [${JSON.stringify(place)}]\n`
  const check = parseConfig(after, configFile)
  if (!check.ok) return { ok: false, why: `${configFile}: ${check.errors[0]?.message}` }
  replaceFile(configFile, after.trimStart(), 0o600)
  return { ok: true, place, isNew: true }
}

function toAbsolute(text: string, folder: string): string {
  if (/^https?:\/\//.test(text)) return text
  if (text.startsWith('git:')) return `git:${resolve(folder, text.slice(4))}`
  return resolve(folder, text.replace(/^file:/, ''))
}
