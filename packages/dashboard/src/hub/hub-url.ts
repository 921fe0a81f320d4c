// Where on the hub's page somebody is: page and chosen thing in the path, filters behind it.
import { useSyncExternalStore } from 'react'
import { visit } from '../frame/url.ts'

export const HUB_PAGES = ['machines', 'live', 'approvals', 'rollout', 'search', 'acts'] as const
export type HubPage = (typeof HUB_PAGES)[number]

export interface HubView {
  readonly page: HubPage
  /** What stands behind the page, piece by piece. */
  readonly rest: readonly string[]
  readonly isUnknown: boolean
}

export function readHubView(pathname: string): HubView {
  const [first = '', ...rest] = pathname.split('/').filter(Boolean)
  const known = HUB_PAGES.find(name => name === first)
  return { page: known ?? 'machines', rest: rest.map(decodePiece), isUnknown: first !== '' && known === undefined }
}

export function hubHref(page: HubPage, ...rest: readonly (string | number)[]): string {
  return ['', page, ...rest.map(piece => encodeURIComponent(String(piece)))].join('/')
}

export function goHub(page: HubPage, ...rest: readonly (string | number)[]): void {
  visit(hubHref(page, ...rest))
}

export function useHubView(): HubView {
  return readHubView(useSyncExternalStore(watch, () => location.pathname))
}

function watch(listener: () => void): () => void {
  addEventListener('popstate', listener)
  addEventListener('belay:view', listener)
  return () => {
    removeEventListener('popstate', listener)
    removeEventListener('belay:view', listener)
  }
}

function decodePiece(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
