// An inspection for people: one glance says whether the file works, the lines below say where it does not.

import { findDialect } from '@belay/core/dialect'
import type { InspectedHook, Inspection } from '../config/inspect-config.ts'
import { visibleText } from '../terminal/visible.ts'

export function renderInspection(inspection: Inspection): string {
  const { active, inert, diagnostics } = inspection
  return [
    ...heading(inspection),
    ...section('Active', active.map(describeHook)),
    ...section(
      'Inert',
      inert.map(hook => `${describeHook(hook)}\n      ${hook.why}`),
    ),
    ...section(
      'Notes',
      diagnostics.map(({ severity, line, column, message, remedy }) => {
        return `${severity} ${line}:${column} ${oneLine(message)}${remedy === undefined ? '' : ` (${oneLine(remedy)})`}`
      }),
    ),
  ].join('\n')
}

const PARSE = { strict: 'parses', tolerant: 'parses with comments or trailing commas', invalid: 'does not parse' } as const

function heading({ dialect, parse, hooks, groups, events, permissions }: Inspection): string[] {
  const names = Object.entries(events).map(([event, count]) => (count === 1 ? event : `${event} x${count}`))
  const { allow, deny, ask } = permissions
  return [
    `${findDialect(dialect)?.name ?? dialect} configuration, ${PARSE[parse]}`,
    `${plural(hooks, 'hook')} in ${plural(groups, 'group')}${names.length === 0 ? '' : `: ${names.map(oneLine).join(', ')}`}`,
    `${plural(allow + deny + ask, 'permission rule')}${allow + deny + ask === 0 ? '' : `: ${allow} allow, ${ask} ask, ${deny} deny`}`,
  ]
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `${title} (${lines.length})`, ...lines.map(line => `  ${line}`)]
}

function describeHook({ event, type, matcher, text, line }: InspectedHook): string {
  const on = matcher === null || matcher === '' || matcher === '*' ? '' : `(${oneLine(matcher)})`
  return `line ${line}  ${oneLine(event)}${on}  ${type}  ${shorten(oneLine(text))}`
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}

/** The file's own text must not move the cursor or break a line. */
function oneLine(text: string): string {
  return visibleText(text.replace(/\s+/g, ' '))
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
