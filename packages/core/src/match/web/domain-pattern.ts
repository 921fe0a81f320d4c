// `domain:` rules: `x` is that host and nothing else, `*.x` its subdomains and not `x` itself, `*` every named host.
// Compared label by label, never as text. An address is only allowed where a rule spells it out.
import { parseWebTarget, type WebTarget } from './web-target.ts'

export interface DomainPattern {
  /** From the left; `*` first stands for one label or more, inside a label for any run of its characters. */
  readonly labels: readonly string[]
  readonly port: string | null
}

export type ParsedDomainPattern = { readonly ok: true; readonly pattern: DomainPattern } | { readonly ok: false; readonly problem: string }

export function parseDomainPattern(text: string): ParsedDomainPattern {
  const trimmed = text.trim()
  if (trimmed === '') return { ok: false, problem: 'the domain is empty' }
  if (/[/\\@?#\s\0]/.test(trimmed))
    return { ok: false, problem: `"${text}" is not a domain; write a host such as example.com or *.example.com` }
  if (trimmed.startsWith('[')) return address(trimmed)
  const port = /:(\d+)$/.exec(trimmed)?.[1] ?? null
  const host = port === null ? trimmed : trimmed.slice(0, -port.length - 1)
  const labels = asciiHost(host)
  if (labels === null || labels.some(label => label === ''))
    return { ok: false, problem: `"${text}" is not a domain; a label is empty or not allowed` }
  return { ok: true, pattern: { labels, port } }
}

export function domainMatches(pattern: DomainPattern, target: WebTarget, effect: 'allow' | 'ask' | 'deny'): boolean {
  if (target.host === null) return false
  if (pattern.port !== null && pattern.port !== target.port) return false
  if (target.isAddress) {
    const isNamed = pattern.labels.join('.') === target.host
    return isNamed || (effect !== 'allow' && pattern.labels.length === 1 && pattern.labels[0] === '*')
  }
  return labelsMatch(pattern.labels, target.host.split('.'))
}

function address(text: string): ParsedDomainPattern {
  const target = parseWebTarget(`http://${text}/`)
  if (target.host === null || !target.isAddress) return { ok: false, problem: `"${text}" is not an address` }
  return { ok: true, pattern: { labels: [target.host], port: target.port === '' ? null : target.port } }
}

function asciiHost(host: string): string[] | null {
  const labels = host.replace(/\.$/, '').toLowerCase().split('.')
  if (labels.every(label => /^[\x21-\x7e]*$/.test(label))) return labels
  return labels.every(label => !label.includes('*') || label === '*') ? labels.map(asciiLabel) : null
}

function asciiLabel(label: string): string {
  return label === '*' ? label : (parseWebTarget(`http://${label}/`).host ?? '')
}

function labelsMatch(pattern: readonly string[], host: readonly string[]): boolean {
  if (pattern[0] !== '*') return pattern.length === host.length && pattern.every((label, at) => labelMatches(label, host[at] ?? ''))
  const rest = pattern.slice(1)
  if (host.length <= rest.length) return false
  const tail = host.slice(host.length - rest.length)
  return rest.every((label, at) => labelMatches(label, tail[at] ?? ''))
}

function labelMatches(pattern: string, label: string): boolean {
  const parts = pattern.split('*')
  const first = parts[0] ?? ''
  if (parts.length === 1) return pattern === label
  const last = parts.at(-1) ?? ''
  if (label.length < first.length + last.length || !label.startsWith(first) || !label.endsWith(last)) return false
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = label.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at <= label.length - last.length
}
