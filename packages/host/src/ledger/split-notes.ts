// Checkpoints as they come out of a second place: a file with one, or several after one another, as in a git note that grew.

const NOTE = /[^\n]+\n\d+\n[^\n]+\n(?:[^\n]+\n)*\n(?:\u2014 [^\n]+(?:\n|$))+/g

/** What is no checkpoint comes back whole, for whoever reads it to say so. */
export function splitNotes(text: string): readonly string[] {
  const notes = text.match(NOTE) ?? []
  return notes.length === 0 ? [text] : notes.map(note => (note.endsWith('\n') ? note : `${note}\n`))
}
