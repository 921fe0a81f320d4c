// JSON of a request, made so that PostgreSQL can hold every text in it: a NUL or half of a pair of surrogates, which JSON may escape, would
// fail each statement that it stands in, and with it whatever waits behind it.

/** An escape: a whole pair, one that no database holds, or any other. */
const ESCAPES = /\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u(0000|[dD][89a-fA-F][0-9a-fA-F]{2})|.)/g

/** Throws where it is no JSON. */
export function readJson(text: string): unknown {
  return JSON.parse(text.replace(ESCAPES, (found, bad: string | undefined) => (bad === undefined ? found : '\\ufffd')))
}
