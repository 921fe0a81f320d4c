// --label NAME=VALUE, as often as it is given.

/** Text: what is wrong with one. */
export function readLabels(texts: readonly string[]): Readonly<Record<string, string>> | string {
  const labels: Record<string, string> = {}
  for (const text of texts) {
    const [, name, value] = /^([A-Za-z0-9][A-Za-z0-9._-]*)=([^\p{Cc}]*)$/u.exec(text) ?? []
    if (name === undefined || value === undefined) return `--label is NAME=VALUE, this one is ${JSON.stringify(text)}`
    labels[name] = value
  }
  return labels
}
