// resource_check: refuses (or asks about) a call when the machine or a file is beyond a limit, and says what it found.
// config: {min_free_disk, max_load, max_file_size, max_file_count, path, decision: deny | ask}

import { promises } from 'node:fs'
import { loadavg } from 'node:os'
import { join, resolve } from 'node:path'
import type { HookEvent } from '../../hook/hook-event.ts'
import { errorText } from '../../value/error-text.ts'
import { ask, deny, none } from '../../verdict/verdict.ts'
import { failed } from '../failure.ts'
import { answered, type Builtin } from './builtin.ts'
import { problemAt } from './config-schema.ts'
import { type Config, mapIn, numberIn, textIn } from './config-value.ts'
import { formatSize, parseSize } from './size.ts'

const LIMITS = ['min_free_disk', 'max_load', 'max_file_size', 'max_file_count']

export const resourceCheckBuiltin: Builtin = {
  schema: {
    min_free_disk: { type: 'size' },
    max_load: { type: 'number' },
    max_file_size: { type: 'size' },
    max_file_count: { type: 'count' },
    path: { type: 'text' },
    decision: { type: 'choice', of: ['deny', 'ask'] },
  },
  check: config => (LIMITS.some(key => config[key] !== undefined) ? [] : [problemAt([], 'checks nothing', `give it ${LIMITS.join(', ')}`)]),
  async run({ config, event }) {
    const folder = resolve(event.cwd, textIn(config, 'path', '.'))
    try {
      const findings = [
        await checkDisk(parseSize(config.min_free_disk), folder),
        checkLoad(numberIn(config, 'max_load'), loadavg()[0] ?? 0),
        await checkFileSize(parseSize(config.max_file_size), event),
        await checkFileCount(numberIn(config, 'max_file_count'), folder),
      ].filter(finding => finding !== null)
      if (findings.length === 0) return answered({ verdict: none() })
      const reason = findings.join('; ')
      return answered({ verdict: textIn(config, 'decision') === 'ask' ? ask(reason) : deny(reason) })
    } catch (error) {
      return failed('BELAY_HANDLER_PORT_FAILED', `resource_check could not look: ${errorText(error)}`)
    }
  },
}

async function checkDisk(least: number | null, folder: string): Promise<string | null> {
  if (least === null) return null
  const { bavail, bsize } = await promises.statfs(folder)
  const free = bavail * bsize
  return free >= least ? null : `only ${formatSize(free)} are free on the disk of ${folder}, at least ${formatSize(least)} are required`
}

export function checkLoad(most: number | null, load: number): string | null {
  if (most === null || load <= most) return null
  return `the load of this machine is ${load.toFixed(2)}, the limit is ${most}`
}

/** The file the call is about, as it is and as it would become. */
async function checkFileSize(most: number | null, event: HookEvent): Promise<string | null> {
  if (most === null) return null
  const input = mapIn(event.fields, 'toolInput')
  const content = textIn(input, 'content')
  const written = content === undefined ? 0 : Buffer.byteLength(content)
  if (written > most) return `the new content has ${formatSize(written)}, the limit is ${formatSize(most)}`
  const path = fileIn(input)
  if (path === undefined) return null
  const file = resolve(event.cwd, path)
  const size = await promises.stat(file).then(
    found => (found.isFile() ? found.size : 0),
    () => 0,
  )
  return size > most ? `${file} has ${formatSize(size)}, the limit is ${formatSize(most)}` : null
}

function fileIn(input: Config): string | undefined {
  return textIn(input, 'file_path') ?? textIn(input, 'notebook_path') ?? textIn(input, 'path')
}

async function checkFileCount(most: number | null, folder: string): Promise<string | null> {
  if (most === null) return null
  return (await countFiles(folder, most)) > most ? `${folder} holds more than ${most} files` : null
}

/** Stops as soon as the answer is known, so that the limit also bounds the work. Links are not followed. */
async function countFiles(folder: string, most: number): Promise<number> {
  let count = 0
  const waiting = [folder]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for await (const entry of await promises.opendir(next)) {
      if (entry.isDirectory()) waiting.push(join(next, entry.name))
      else count += 1
      if (count > most) return count
    }
  }
  return count
}
