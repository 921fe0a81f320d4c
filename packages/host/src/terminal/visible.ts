// What agents wrote must not speak to a terminal, nor hide in it: control characters, those that turn the direction of text and those without
// a width are shown as JSON writes them (`\u202e`). In JSON that is the same text; for people it is a warning.

const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/
/** Stands before colours, progress lines and bells of our own commands. Another one in each process: what others wrote cannot hold it. */
const MARK = `\ue000${Math.random().toString(36).slice(2)}${Math.random().toString(36).slice(2)}\ue001`
const OWN = new RegExp(`${MARK}(\\u001b\\[[0-9;]*[mK]|[\\r\\u0007])`, 'g')
const OWN_OR_HIDDEN = new RegExp(`${OWN.source}|${HIDDEN.source}`, 'g')
const ANYWHERE = new RegExp(HIDDEN.source, 'g')

/** A sequence of ours that a terminal is to obey. */
export function own(sequence: string): string {
  return MARK + sequence
}

/** Without our colours. */
export function withoutOwn(text: string): string {
  return text.includes(MARK) ? text.replace(OWN, '') : text
}

/** For text of ours, in several lines perhaps, that may hold our colours: they stay, with their mark. */
export function escapeHidden(text: string): string {
  return text.replace(OWN_OR_HIDDEN, match => (match.length > 1 ? match : escapeCharacter(match)))
}

/** For all that goes to a terminal, whoever wrote it. Only what bears the mark is obeyed. */
export function escapeForTerminal(text: string): string {
  return text.replace(OWN_OR_HIDDEN, (match, sequence?: string) => sequence ?? escapeCharacter(match))
}

/** For all that goes elsewhere: nothing but the marks is taken out. */
export function unmark(text: string): string {
  return text.includes(MARK) ? text.replace(OWN, '$1') : text
}

/** For text of others, on one line. */
export function visibleText(text: string): string {
  return text.replaceAll(/[\t\n\r]+/g, ' ').replace(ANYWHERE, escapeCharacter)
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
