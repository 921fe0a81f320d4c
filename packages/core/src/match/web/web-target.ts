// A URL as an agent wrote it -> the host it would reach. Read by the WHATWG rules, as fetch does; a spelling that other
// programs read differently carries a problem, and a problem is never allowed. Deny rules still see the host.

export interface WebTarget {
  /** Lower case, punycode, no trailing dot; null when there is none. */
  readonly host: string | null
  readonly isAddress: boolean
  /** '' for the scheme's own. */
  readonly port: string
  readonly problem?: string
}

export function parseWebTarget(text: string): WebTarget {
  const url = parse(text)
  if (url === null) return { host: null, isAddress: false, port: '', problem: 'this is not a URL' }
  const host = url.hostname.replace(/\.$/, '')
  const target = { host: host === '' ? null : host, isAddress: isAddress(host), port: url.port }
  const problem = problemOf(text, url, host)
  return problem === null ? target : { ...target, problem }
}

function parse(text: string): URL | null {
  try {
    return new URL(text)
  } catch {
    return null
  }
}

function isAddress(host: string): boolean {
  return host.startsWith('[') || /^\d+(?:\.\d+){3}$/.test(host)
}

function problemOf(text: string, url: URL, host: string): string | null {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return `only http and https can be fetched, not ${url.protocol}`
  if (/[\p{Cc}\p{Cf}]/u.test(text)) return 'the URL holds control or hidden characters'
  const authority = /^\s*https?:\/\/([^/?#]*)/i.exec(text)?.[1]
  if (authority === undefined || authority === '') return 'the URL does not begin with http:// or https:// and a host'
  if (url.username !== '' || url.password !== '' || authority.includes('@')) return 'the URL carries a user name before its host'
  if (authority.includes('\\')) return 'programs disagree on where the host ends at a backslash'
  if (authority.includes('%')) return 'the host is percent-encoded'
  if (/[^\x20-\x7e]/.test(authority) && !host.includes('xn--')) return 'the host is written in look-alike characters'
  return null
}
