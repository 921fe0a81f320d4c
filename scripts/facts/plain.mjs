// Programs with one page of help: `-n, --lines=NUM`, `--color[=WHEN]`, `-o <file>`.
import { addCommand, createProgram, output } from './record.mjs'

const QUESTIONS = {
  curl: ['--help', 'all'],
  'ssh-keygen': ['-?'],
  perl: ['-h'],
  rg: ['--help'],
  psql: ['--help'],
  tmux: null,
  ps: ['--help', 'all'],
  gcc: null,
  screen: ['--help'],
}

export function askPlain(name, ask) {
  const question = name in QUESTIONS ? QUESTIONS[name] : ['--help']
  const text = question === null ? '' : output(name, question, ask)
  const options = readOptions(text)
  if (options.length < 2) return null
  const program = createProgram()
  addCommand(program, [], { options })
  return program
}

export function readOptions(text) {
  const found = []
  for (const line of text.split('\n')) {
    const head = /^\s{1,14}(?=-)/.test(line) ? line.trim().split(/ {2,}|\t/)[0] : ''
    if (head === '' || !/^--?[\w#?]/.test(head)) continue
    const option = readHead(head)
    if (option !== null) found.push(option)
  }
  return found
}

/** null: the line is not only names and values, so its arity is a guess. */
function readHead(head) {
  const names = []
  let arity = ''
  for (const part of head.split(/, +|,(?=-)|\s+\|\s+/)) {
    const [, name, rest] = /^(--?(?:\[no-\])?[\w#?.:@+-]+)(.*)$/.exec(part.trim()) ?? []
    if (name === undefined) return null
    const value = arityOf(rest)
    if (value === null) return null
    names.push(...spell(name))
    if (value !== '') arity = value
  }
  return { names, arity }
}

function spell(name) {
  return name.includes('[no-]') ? [name.replace('[no-]', '')] : [name]
}

/** `=N`, ` N`, ` <n>`: a value. `[=N]`, `[N]`: glued or none. Small letters after a blank are prose. */
function arityOf(rest) {
  if (rest === '' || /^\.{3}$/.test(rest)) return ''
  if (/^\[/.test(rest) || /^=?\[=/.test(rest) || /^ \[/.test(rest)) return '?'
  if (/^[= ]<[^>]*>(?:\.{3})?(?: .*)?$/.test(rest) || /^=\S+$/.test(rest)) return '='
  if (/^ [A-Z][A-Z0-9_:=,|./-]*$/.test(rest)) return '='
  return null
}
