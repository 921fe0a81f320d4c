// @withfig/autocomplete: descriptions that people wrote. They add names and aliases; what they say of values is not taken.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { addCommand, createProgram } from './record.mjs'

/** What has more is a catalogue of some service, which few rules speak of. */
const MAX_COMMANDS = 250

export async function readFig(folder) {
  const build = join(folder, 'package/build')
  const found = {}
  for (const file of readdirSync(build)
    .filter(name => name.endsWith('.js'))
    .sort()) {
    const spec = await load(pathToFileURL(join(build, file)).href)
    const name = file.slice(0, -3)
    if (spec === null || !/^[a-z][\w.+-]*$/.test(name) || !Array.isArray(spec.subcommands)) continue
    const program = createProgram('~')
    visit(program, spec, [])
    if (program.commands.size > 1 && program.commands.size < MAX_COMMANDS) found[name] = program
  }
  return found
}

async function load(url) {
  try {
    const { default: spec } = await import(url)
    return typeof spec === 'object' && spec !== null ? spec : null
  } catch {
    return null
  }
}

function visit(program, spec, path) {
  addCommand(program, path, { aliases: path.length === 0 ? [] : namesOf(spec).slice(1) })
  if (path.length > 1) return
  for (const child of spec.subcommands ?? []) {
    const [name, ...others] = namesOf(child)
    // Below the first level only aliases say something new.
    if (name !== undefined && (path.length === 0 || others.length > 0)) visit(program, child, [...path, name])
  }
}

function namesOf({ name }) {
  return [name].flat().filter(one => typeof one === 'string' && /^[A-Za-z][\w.:+-]*$/.test(one))
}
