/** Without the signs at its end. A pattern such as `/\/+$/` looks again from each sign of a long run that is not at the end. */
export function withoutEnd(text: string, sign: string): string {
  let end = text.length
  while (text[end - 1] === sign) end--
  return text.slice(0, end)
}
