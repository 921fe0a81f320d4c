// git: every sub-command prints its options for `-h`, and all of them, without short names, for the completion helper.
import { readOptions } from './plain.mjs'
import { addCommand, createProgram, output } from './record.mjs'

const GLOBAL = [
  ...['-C', '-c', '--namespace', '--super-prefix', '--attr-source', '--config-env', '--list-cmds'].map(name => ({
    names: [name],
    arity: '=',
  })),
  ...['--git-dir', '--work-tree'].map(name => ({ names: [name], arity: '=' })),
  { names: ['--exec-path'], arity: '?' },
  ...[
    ['-p', '--paginate'],
    ['-P', '--no-pager'],
    ['-v', '--version'],
    ['-h', '--help'],
  ].map(names => ({ names, arity: '' })),
  ...[
    '--bare',
    '--no-replace-objects',
    '--literal-pathspecs',
    '--glob-pathspecs',
    '--noglob-pathspecs',
    '--icase-pathspecs',
    '--no-optional-locks',
    '--no-lazy-fetch',
    '--no-advice',
    '--html-path',
    '--man-path',
    '--info-path',
  ].map(name => ({ names: [name], arity: '' })),
]

export function askGit(ask) {
  const verbs = output('git', ['--list-cmds=main,others'], ask)
    .split('\n')
    .filter(name => /^[a-z][\w-]*$/.test(name))
  if (verbs.length === 0) return null
  const program = createProgram()
  addCommand(program, [], { options: GLOBAL })
  for (const verb of verbs) visit(program, ask, [verb])
  return program
}

/** These start a server or ask for a password; what they print is no list of options. */
const SILENT = new Set(['daemon', 'shell', 'credential', 'gui', 'gitk', 'citool', 'instaweb', 'remote-ext', 'remote-fd', 'cvsserver'])

function visit(program, ask, path) {
  if (SILENT.has(path[0])) {
    addCommand(program, path)
    return
  }
  const listed =
    output('git', [...path, '--git-completion-helper-all'], ask)
      .split('\n')[0]
      ?.split(' ') ?? []
  const long = listed.filter(name => name.startsWith('--') && name !== '--').map(toOption)
  const shown = readOptions(output('git', [...path, '-h'], ask))
  const names = new Set(shown.flatMap(option => option.names))
  addCommand(program, path, { options: [...shown, ...long.filter(option => !names.has(option.names[0]))] })
  const verbs = path.length === 1 ? listed.filter(name => /^[a-z][\w-]*$/.test(name)) : []
  // `git x` prints more than names when it does not know the question.
  if (long.length > 0 || listed.length < 20) for (const verb of verbs) visit(program, ask, [...path, verb])
}

/** `--repo=` needs a value; without the sign it has none, or a glued one. */
function toOption(text) {
  return text.endsWith('=') ? { names: [text.slice(0, -1)], arity: '=' } : { names: [text], arity: '' }
}
