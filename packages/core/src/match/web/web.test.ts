import { describe, expect, test } from 'vitest'
import { domainMatches, parseDomainPattern } from './domain-pattern.ts'
import { parseWebTarget } from './web-target.ts'

function matches(pattern: string, url: string, effect: 'allow' | 'deny' = 'allow'): boolean {
  const parsed = parseDomainPattern(pattern)
  if (!parsed.ok) throw new Error(parsed.problem)
  return domainMatches(parsed.pattern, parseWebTarget(url), effect)
}

describe('targets', () => {
  test.each([
    ['https://example.com/docs', { host: 'example.com', isAddress: false, port: '' }],
    ['https://example.com:443/x?q=1#f', { host: 'example.com', isAddress: false, port: '' }],
    ['HTTPS://EXAMPLE.com.:8443/', { host: 'example.com', isAddress: false, port: '8443' }],
    ['https://evil.io#example.com', { host: 'evil.io', isAddress: false, port: '' }],
    ['https://ex\u0430mple.com/', { host: 'xn--exmple-4nf.com', isAddress: false, port: '' }],
    ['http://[::1]/', { host: '[::1]', isAddress: true, port: '' }],
    ['http://0x7f.1/', { host: '127.0.0.1', isAddress: true, port: '' }],
    ['http://2130706433/', { host: '127.0.0.1', isAddress: true, port: '' }],
    ['http://017700000001/', { host: '127.0.0.1', isAddress: true, port: '' }],
  ])('%s', (url, target) => {
    expect(parseWebTarget(url)).toEqual(target)
  })

  test.each([
    ['https://example.com@evil.io/', 'evil.io'],
    ['https://@example.com/', 'example.com'],
    ['https://example.com\\@evil.io/', 'example.com'],
    ['https://exam\nple.com/', 'example.com'],
    ['https://example.com/\0', 'example.com'],
    ['https://ex%61mple.com/', 'example.com'],
    ['https://\uff45xample.com/', 'example.com'],
    ['https:example.com/', 'example.com'],
    ['javascript:alert(1)', null],
    ['file:///etc/passwd', null],
    ['ftp://example.com/', 'example.com'],
    ['//example.com/', null],
    ['', null],
  ])('%j has a problem', (url, host) => {
    const target = parseWebTarget(url)
    expect(target.host).toBe(host)
    expect(target.problem).toBeTypeOf('string')
  })
})

describe('patterns', () => {
  test.each([
    ['example.com', 'https://example.com/'],
    ['Example.COM.', 'https://example.com/'],
    ['example.com', 'https://example.com:8443/'],
    ['*.example.com', 'https://a.b.example.com/'],
    ['*', 'https://anything.io/'],
    ['api-*.example.com', 'https://api-eu.example.com/'],
    ['b\u00fccher.de', 'https://xn--bcher-kva.de/'],
    ['*.b\u00fccher.de', 'https://www.b\u00fccher.de/'],
    ['localhost:3000', 'http://localhost:3000/'],
    ['127.0.0.1', 'http://0x7f.1/'],
    ['[::1]', 'http://[0:0::1]/'],
  ])('%s matches %s', (pattern, url) => {
    expect(matches(pattern, url)).toBe(true)
  })

  test.each([
    ['example.com', 'https://sub.example.com/'],
    ['example.com', 'https://notexample.com/'],
    ['example.com', 'https://example.com.evil.io/'],
    ['*.example.com', 'https://example.com/'],
    ['*.example.com', 'https://badexample.com/'],
    ['api-*.example.com', 'https://api-a.b.example.com/'],
    ['localhost:3000', 'http://localhost:3001/'],
    ['*', 'http://127.0.0.1/'],
    ['*.0.0.1', 'http://127.0.0.1/'],
  ])('%s does not match %s', (pattern, url) => {
    expect(matches(pattern, url)).toBe(false)
  })

  test('denying every domain denies addresses too', () => {
    expect(matches('*', 'http://127.0.0.1/', 'deny')).toBe(true)
  })

  test.each(['', 'https://example.com', 'example.com/path', 'a..b', 'user@host', '[zz]'])('%j is refused', text => {
    expect(parseDomainPattern(text).ok).toBe(false)
  })
})
