// `belay completion SHELL`: a script that offers commands, sub-commands and options, made from the commands there are.
import { suggestRemedy } from '@belay/core/policy'
import type { Command } from 'commander'
import { listTargets } from '../agent/agents.ts'
import { type CommandIo, type ExitCode, fail } from '../terminal/io.ts'

/** `ledger tail` -> what may come next; the empty path is `belay` itself. */
type Words = ReadonlyMap<string, readonly string[]>

const SHELLS: Readonly<Record<string, (words: Words) => string>> = { bash, zsh, fish }

export function runCompletion(shell: string, program: Command, io: CommandIo): ExitCode {
  const render = SHELLS[shell]
  const names = Object.keys(SHELLS)
  if (render === undefined)
    return fail(io, `there is no completion for \`${shell}\``, suggestRemedy(shell, names) ?? `shells: ${names.join(' ')}`)
  io.stdout.write(render(listWords(program)))
  return 0
}

/** What an argument of this name may be. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  agent: listTargets().map(({ agent }) => agent),
  shell: Object.keys(SHELLS),
}

function listWords(program: Command): Words {
  const words = new Map<string, readonly string[]>()
  const visit = (command: Command, path: string): void => {
    const options = command.options.flatMap(({ long, hidden }) => (long == null || hidden ? [] : [long]))
    const values = command.registeredArguments.flatMap(argument => VALUES[argument.name()] ?? [])
    words.set(path, [...command.commands.map(each => each.name()), ...values, ...options, '--help'])
    for (const each of command.commands) visit(each, `${path} ${each.name()}`.trim())
  }
  visit(program, '')
  return words
}

/** The names that lead on: a word counts as a step only where a command has that name. */
function steps(words: Words): readonly string[] {
  return [...words.keys()].filter(path => path !== '')
}

function cases(words: Words, set: (list: string) => string): string {
  return [...words].map(([path, list]) => `    '${path}') ${set(list.join(' '))} ;;`).join('\n')
}

function bash(words: Words): string {
  return `# Tab completion of belay for bash.
_belay() {
  local at='' word words='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    [ "$word" = -- ] && return
    case "\${at:+$at }$word" in
      ${steps(words)
        .map(path => `'${path}'`)
        .join('|')}) at="\${at:+$at }$word" ;;
    esac
  done
  case "$at" in
${cases(words, list => `words='${list}'`)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _belay belay mentu
`
}

function zsh(words: Words): string {
  return `#compdef belay mentu
# Tab completion of belay for zsh.
_belay() {
  local at='' word i
  local -a found
  for ((i = 2; i < CURRENT; i++)); do
    word=$words[i]
    [[ $word == -- ]] && { _normal; return }
    case "\${at:+$at }$word" in
      (${steps(words)
        .map(path => `'${path}'`)
        .join('|')}) at="\${at:+$at }$word" ;;
    esac
  done
  case "$at" in
${cases(words, list => `found=(${list})`).replaceAll(/^ {4}'/gm, "    ('")}
  esac
  compadd -- $found
  _files
}
if [ "$funcstack[1]" = _belay ]; then _belay "$@"; else compdef _belay belay mentu; fi
`
}

function fish(words: Words): string {
  const lines = [...words].map(([path, list]) => `complete -c belay -n "__belay_at '${path}'" -a '${list.join(' ')}'`)
  return `# Tab completion of belay for fish.
function __belay_at
  set -l at ''
  for word in (commandline -opc)[2..-1]
    set -l next (string trim -- "$at $word")
    if contains -- $next ${steps(words)
      .map(path => `'${path}'`)
      .join(' ')}
      set at $next
    end
  end
  test "$at" = "$argv[1]"
end
${lines.join('\n')}
complete -c mentu -w belay
`
}
