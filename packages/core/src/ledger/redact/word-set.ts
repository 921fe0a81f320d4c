/** Words between blanks and line ends, as a set: keeps long tables readable. */
export function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter(word => word !== ''))
}
