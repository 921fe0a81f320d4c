// Programs made with cobra (docker, gh, kubectl): each sub-command has a page of help of its own.
import { addCommand, createProgram, output } from './record.mjs'

export function askCobra(name, ask) {
  const program = createProgram()
  visit({ program, name, ask, wanted: (...path) => output(name, [...path, '--help'], ask) }, [])
  return program.commands.size > 1 ? program : null
}

function visit(walk, path) {
  if (path.length > 3) return
  const text = walk.wanted(...path)
  const aliases = readAliases(text, walk.name, path)
  addCommand(walk.program, path, { aliases, options: readFlags(text) })
  for (const child of readCommands(text)) if (!walk.program.commands.has([...path, child].join(' '))) visit(walk, [...path, child])
}

/** `Aliases:` names this command again: by its last word, or, when it stands elsewhere too, by its whole path. */
function readAliases(text, name, path) {
  const line = /^(?:Aliases|ALIASES):?\s*\n\s*(\S.*)$/m.exec(text)?.[1] ?? ''
  const given = line
    .split(',')
    .map(alias => alias.trim())
    .filter(alias => alias !== '')
  const own = path.at(-1)
  const paths = given.filter(alias => alias.startsWith(`${name} `)).map(alias => alias.slice(name.length + 1))
  if (paths.length === 0) return given.filter(alias => alias !== own)
  const shortest = [...paths].sort((left, right) => left.split(' ').length - right.split(' ').length)[0]
  const siblings = paths
    .filter(other => samePlace(other, path))
    .map(other => other.split(' ').at(-1))
    .filter(other => other !== own)
  return shortest === path.join(' ') ? siblings : [`=${shortest}`, ...siblings]
}

function samePlace(other, path) {
  const words = other.split(' ')
  return words.length === path.length && words.slice(0, -1).join(' ') === path.slice(0, -1).join(' ')
}

const HEADING = /^(?:[\w /()-]*Commands[\w /()-]*:|[A-Z ]*COMMANDS[A-Z ]*)\s*$/

function readCommands(text) {
  const found = []
  let inside = false
  for (const line of text.split('\n')) {
    if (/^\S/.test(line)) inside = HEADING.test(line)
    const name = inside ? /^ {2,4}([a-z][\w-]*)[*:]?(?: {1,}|$)/.exec(line)?.[1] : undefined
    if (name !== undefined && name !== 'help') found.push(name)
  }
  return found
}

/** `-e, --env list   text`: a word behind the name is the kind of its value; `string[="x"]` may be left out. */
export function readFlags(text) {
  const found = []
  for (const line of text.split('\n')) {
    const [, short, long, kind = ''] = /^\s{2,8}(?:(-\w), )?(?:\s{4})?(--[\w.-]+)(?: ([\w[\]="':/.<>-]+))?(?: {2,}.*)?$/.exec(line) ?? []
    if (long === undefined) continue
    found.push({ names: short === undefined ? [long] : [short, long], arity: kind === '' ? '' : kind.includes('[=') ? '?' : '=' })
  }
  return found
}

/** kubectl writes `-n, --namespace='':`, and the value without quotes, `false`, means a switch. */
export function askKubectl(ask) {
  const program = createProgram()
  if (output('kubectl', ['options'], ask).trim() === '') return null
  addCommand(program, [], { options: readKubectlFlags(output('kubectl', ['options'], ask)) })
  visitKubectl(program, ask, [])
  return program
}

function visitKubectl(program, ask, path) {
  const text = output('kubectl', [...path, '--help'], ask)
  if (path.length > 0) addCommand(program, path, { aliases: readAliases(text, 'kubectl', path), options: readKubectlFlags(text) })
  if (path.length < 2) for (const child of readCommands(text)) visitKubectl(program, ask, [...path, child])
}

function readKubectlFlags(text) {
  const found = []
  for (const [, short, long, value] of text.matchAll(/^\s{2,8}(?:(-\w), )?(--[\w-]+)=(.*):\s*$/gm)) {
    // A value that may be left out is not shown as such: only switches and texts are certain.
    const isSwitch = value === 'false' || value === 'true'
    const mayBeLeftOut = long === '--dry-run' || long === '--cascade' || long === '--validate'
    found.push({ names: short === undefined ? [long] : [short, long], arity: mayBeLeftOut ? '?' : isSwitch ? '' : '=' })
  }
  return found
}
