// The key of this page, kept by the browser for its origin alone. The cookie goes to every port of the host; a session answers only to both.

const NAME = 'belay.page'
let key: string | null = null

export function pageHeaders(): Readonly<Record<string, string>> {
  key ??= localStorage.getItem(NAME) ?? newKey()
  return { 'belay-page': key }
}

function newKey(): string {
  const made = Array.from(crypto.getRandomValues(new Uint8Array(32)), byte => byte.toString(16).padStart(2, '0')).join('')
  localStorage.setItem(NAME, made)
  return made
}
