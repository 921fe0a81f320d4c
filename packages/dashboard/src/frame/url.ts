// The whole view is in the URL: page, chosen thing, filters, inspected event. There is no other navigation state.
import { useCallback, useSyncExternalStore } from 'react'

export const PAGES = ['live', 'fleet', 'approvals', 'ledger', 'policy', 'overview'] as const
export type Page = (typeof PAGES)[number]

export interface View {
  readonly page: Page
  readonly id: string | null
  readonly params: URLSearchParams
  /** There is no such page. */
  readonly isUnknown: boolean
}

export interface Target {
  readonly id?: string | number | null
  readonly params?: Readonly<Record<string, string | number | null | undefined>>
}

export interface GoOptions {
  /** Instead of the present entry of the history. */
  readonly replace?: boolean
}

const CHANGED = 'belay:view'

/** `isNarrow`: on a phone the first page is the one where somebody waits. */
export function readView(href: string, isNarrow: boolean): View {
  const url = new URL(href)
  const [first = '', ...rest] = url.pathname.split('/').filter(Boolean)
  const known = PAGES.find(name => name === first)
  const id = rest.length === 0 ? null : decode(rest.join('/'))
  return { page: known ?? (isNarrow ? 'approvals' : 'live'), id, params: url.searchParams, isUnknown: first !== '' && known === undefined }
}

export function hrefOf(page: Page, { id, params = {} }: Target = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(params))
    if (value !== null && value !== undefined && value !== '') search.set(name, String(value))
  const path = id === undefined || id === null ? `/${page}` : `/${page}/${encodeURIComponent(String(id))}`
  return search.size === 0 ? path : `${path}?${search}`
}

export function go(page: Page, target: Target = {}, options: GoOptions = {}): void {
  visit(hrefOf(page, target), options)
}

export function visit(href: string, { replace = false }: GoOptions = {}): void {
  if (href === location.pathname + location.search) return
  if (replace) history.replaceState(null, '', href)
  else history.pushState(null, '', href)
  dispatchEvent(new Event(CHANGED))
}

export function useView(): View {
  return readView(useHref(), isNarrowScreen())
}

/** One parameter of the URL; setting it to null takes it away. Typing replaces, choosing should be found again by going back. */
export function useParam(name: string, options: GoOptions = {}): [string | null, (value: string | null) => void] {
  const value = new URL(useHref()).searchParams.get(name)
  const isReplacing = options.replace ?? true
  const set = useCallback((next: string | null) => setParam(name, next, { replace: isReplacing }), [name, isReplacing])
  return [value, set]
}

export function setParam(name: string, value: string | null, options: GoOptions = {}): void {
  const url = new URL(location.href)
  if (value === null || value === '') url.searchParams.delete(name)
  else url.searchParams.set(name, value)
  visit(url.pathname + url.search, options)
}

export function isNarrowScreen(): boolean {
  return matchMedia('(max-width: 767px)').matches
}

function useHref(): string {
  return useSyncExternalStore(watchHref, () => location.href)
}

function watchHref(listener: () => void): () => void {
  addEventListener('popstate', listener)
  addEventListener(CHANGED, listener)
  return () => {
    removeEventListener('popstate', listener)
    removeEventListener(CHANGED, listener)
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
