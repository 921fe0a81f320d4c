// What decided an entry, in words that a person wrote or reads: the rule as it stands in its file, a hook's name, Belay's own protection.
import { basename } from 'node:path'
import { type Fields, fieldsIn, listIn, textIn } from './read-fields.ts'

export interface DecidedBy {
  readonly by: string | null
  /** `genesis.key:32`; null: it stands in no file. */
  readonly place: string | null
}

export const OWN_PROTECTION = "Belay's own protection"

const NOBODY: DecidedBy = { by: null, place: null }

export function decidedBy(body: Fields): DecidedBy {
  if (body.paused === true) return { by: 'deciding was switched off', place: null }
  const rule = fieldsIn(body.rule)
  if (rule !== null) return { by: textIn(rule.text), place: shortPlace(textIn(rule.place)) }
  const asked = textIn(body.rule)
  if (asked !== null) return writtenRule(asked)
  const { verdict } = body
  if (verdict === undefined || verdict === 'none') return NOBODY
  const hook = listIn(body.hooks).find(run => run.verdict === verdict)
  if (hook !== undefined) return { by: `hook ${textIn(hook.hook) ?? ''}`, place: shortPlace(textIn(hook.place)) }
  const part = typeof body.decidedBy === 'number' ? listIn(body.parts)[body.decidedBy] : fieldsIn(body.decidedBy)
  if (part === undefined || part === null) return NOBODY
  if (part.decision === 'default') return { by: 'no rule covers it', place: null }
  return isOwnProtection(part) ? { by: OWN_PROTECTION, place: null } : NOBODY
}

/** A part that was refused or asked about though no rule speaks of it: what may match a rule has said so (`may`). */
export function isOwnProtection({ decision, rule, match }: Fields): boolean {
  return (decision === 'deny' || decision === 'ask') && (rule ?? null) === null && (match ?? null) === null
}

/** `ask Bash(x) (/p/genesis.key:4)`, as a request has it. */
function writtenRule(text: string): DecidedBy {
  const [, words, place] = /^(?:allow|ask|deny) ([\s\S]*?)(?: \((\S.*:\d+)\))?$/.exec(text) ?? []
  return { by: words ?? text, place: shortPlace(place ?? null) }
}

function shortPlace(place: string | null): string | null {
  return place === null ? null : basename(place)
}

/** The id of a rule that was given none says nothing. */
const MADE_ID = /^(allow|ask|deny)-(\d+)-\d+$/

/** A rule that is known by its id alone. */
export function ruleWords(id: string, body: Fields): string {
  const rule = fieldsIn(body.rule)
  if (rule !== null && rule.id === id) return textIn(rule.text) ?? id
  const [, effect, line] = MADE_ID.exec(id) ?? []
  return effect === undefined ? id : `${effect} rule in line ${line}`
}
