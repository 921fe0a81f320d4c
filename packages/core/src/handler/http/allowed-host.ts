// Whether the policy names the host of a URL, as `host` (any port) or `host:port`; IPv6 in brackets.

export function isAllowedHost(url: URL, allowed: readonly string[]): boolean {
  const host = url.hostname.toLowerCase()
  const port = url.port === '' ? defaultPort(url) : url.port
  return allowed.some(entry => {
    const wanted = entry.trim().toLowerCase()
    return wanted === host || wanted === `${host}:${port}`
  })
}

function defaultPort(url: URL): string {
  return url.protocol === 'https:' ? '443' : '80'
}
