// Package managers: npm by its own modules, cargo and pip by their help.
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { readOptions } from './plain.mjs'
import { addCommand, createProgram, output } from './record.mjs'

/** The npm that came with Node. */
export function askNpm() {
  const fromNpm = createRequire(join(dirname(dirname(process.execPath)), 'lib/node_modules/npm/package.json'))
  const { commands, aliases } = fromNpm('./lib/utils/cmd-list.js')
  const config = fromNpm('@npmcli/config/lib/definitions')
  const program = createProgram('^')
  addCommand(program, [], { options: npmOptions(config) })
  const resolveAlias = name => (aliases[name] === undefined ? name : resolveAlias(aliases[name]))
  for (const name of commands) addCommand(program, [name], { aliases: Object.keys(aliases).filter(alias => resolveAlias(alias) === name) })
  return program
}

/** A setting that takes true, false or something else takes the next word only when it is one of those: not certain. */
function npmOptions({ definitions, shorthands }) {
  const found = Object.entries(definitions).map(([name, { type }]) => {
    const types = [type].flat()
    const takesBoolean = types.includes(Boolean)
    return { names: [`--${name}`], arity: types.length === 1 && takesBoolean ? '' : takesBoolean ? '~' : '=' }
  })
  for (const [letter, [long, value]] of Object.entries(shorthands)) {
    const option = found.find(({ names }) => names.includes(long))
    const short = letter.length === 1 ? `-${letter}` : `--${letter}`
    if (option === undefined || found.some(({ names }) => names.includes(short))) continue
    if (value === undefined) option.names.push(short)
    else found.push({ names: [short], arity: '' })
  }
  return found
}

export function askCargo(ask) {
  const list = output('cargo', ['--list'], { ...ask, env: { ...ask.env, HOME: process.env.HOME } })
  const program = createProgram()
  const cargo = (...args) => output('cargo', args, { ...ask, env: { ...ask.env, HOME: process.env.HOME } })
  addCommand(program, [], { options: readOptions(cargo('-h')) })
  const aliases = new Map()
  for (const [, name, target] of list.matchAll(/^ {4}([a-z][\w-]*)(?:\s+alias: (\S+))?/gm)) {
    if (target === undefined) addCommand(program, [name], { options: readOptions(cargo(name, '-h')) })
    else aliases.set(name, target)
  }
  for (const [alias, target] of aliases) program.commands.get(target)?.aliases.push(alias)
  return program.commands.size > 1 ? program : null
}

export function askPip(ask) {
  const text = output('pip', ['--help'], { ...ask, env: { ...ask.env, HOME: process.env.HOME } })
  const program = createProgram()
  addCommand(program, [], { options: readOptions(text.slice(text.indexOf('General Options'))) })
  const names = text.slice(0, text.indexOf('General Options')).matchAll(/^ {2}([a-z]+) {2,}/gm)
  for (const [, name] of names) addCommand(program, [name], { options: readOptions(output('pip', [name, '--help'], ask)) })
  return program.commands.size > 1 ? program : null
}
