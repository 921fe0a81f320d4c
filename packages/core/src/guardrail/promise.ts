// The words an agent says when its work is done: the last <promise>...</promise> of its final message, white space normalised.

/** Null: it promised nothing. */
export function lastPromise(message: string): string | null {
  const end = message.lastIndexOf('</promise>')
  if (end === -1) return null
  const start = message.lastIndexOf('<promise>', end)
  return start === -1 ? null : normalise(message.slice(start + '<promise>'.length, end))
}

export function keepsPromise(message: string, promise: string): boolean {
  return lastPromise(message) === normalise(promise)
}

function normalise(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
