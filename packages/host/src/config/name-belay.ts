// Texts say `belay VERB`; whoever reads one calls the program by the name that works in their shell.
import { isGroup, isOwnVerb } from '@belay/core/match'

/** `given`: what the text may quote, which stays as it was written. */
export function nameBelay(text: string, command: string, given = ''): string {
  if (command === 'belay') return text
  return text.replace(NAMED, (all, verb: string, at: number) => {
    const isCommand = verb === 'COMMAND' || isOwnVerb('command', verb) || isGroup(verb)
    return isCommand && !isInRule(text, at) && !isQuoted(text, at, given) ? `${command} ${verb}` : all
  })
}

export function namesBelay(text: string): boolean {
  return text.search(NAMED) >= 0
}

const NAMED = /(?<![\w./@-])belay (COMMAND|[a-z][a-z-]*)/g

/** Inside `Bash(...)`. */
function isInRule(text: string, at: number): boolean {
  return /\w\([^()]*$/.test(text.slice(0, at))
}

const MAX_QUOTES = 20

/** Between two quotation marks stands a part of what was given; a reason puts it on one line and may cut its end. */
function isQuoted(text: string, at: number, given: string): boolean {
  if (given === '') return false
  const line = oneLine(given)
  for (const begin of marksBefore(text, at))
    for (const end of marksAfter(text, at)) if (line.includes(text.slice(begin + 1, end).replace(/\.\.\.$/, ''))) return true
  return false
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ')
}

function marksBefore(text: string, at: number): readonly number[] {
  const found: number[] = []
  for (
    let mark = text.lastIndexOf('"', at);
    mark >= 0 && found.length < MAX_QUOTES;
    mark = mark === 0 ? -1 : text.lastIndexOf('"', mark - 1)
  )
    found.push(mark)
  return found
}

function marksAfter(text: string, at: number): readonly number[] {
  const found: number[] = []
  for (let mark = text.indexOf('"', at); mark >= 0 && found.length < MAX_QUOTES; mark = text.indexOf('"', mark + 1)) found.push(mark)
  return found
}
