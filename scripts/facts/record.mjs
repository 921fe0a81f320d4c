// A program as it is collected: `commands` by path ('' is the program itself), each with aliases and options.
import { spawnSync } from 'node:child_process'

/** `marks`: `~` described by other people, `^` beginnings of names count. */
export function createProgram(marks = '') {
  return { marks, commands: new Map() }
}

/** `options`: [{ names: ['-f', '--force'], arity: '' | '=' | '?' | '~' }]. */
export function addCommand(program, path, { aliases = [], options = [] } = {}) {
  program.commands.set(path.join(' '), { aliases: aliases.filter(isName), options })
}

const isName = name => /^=?[\w.@+ -]+$/.test(name)

export function formatProgram({ marks, commands }) {
  const globals = new Set((commands.get('')?.options ?? []).map(formatOption))
  const records = [...commands].map(([path, { aliases, options }]) => {
    const own = [...new Set(options.map(formatOption))].filter(text => text !== '' && (path === '' || !globals.has(text)))
    return `${path}|${aliases.join(',')}|${own.join(' ')}`.replace(/\|+$/, '')
  })
  return marks + records.join(';')
}

const isOption = name => /^--?[\w#?.:@][\w.:@+-]*$/.test(name)

function formatOption({ names, arity }) {
  const good = names.filter(isOption)
  return good.length === 0 ? '' : good.join(',') + arity
}

/** What a program prints when it is asked; '' when it does not answer. */
export function output(command, args, { env, cwd }) {
  const { stdout, stderr, error } = spawnSync(command, args, { env, cwd, encoding: 'utf8', timeout: 3000, maxBuffer: 1e8, input: '' })
  return error?.code === 'ENOENT' ? '' : `${stdout ?? ''}\n${stderr ?? ''}`
}
