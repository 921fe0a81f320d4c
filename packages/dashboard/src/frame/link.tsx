// A real link: opens in a new tab on request, goes without loading otherwise.
import type { ComponentProps, MouseEvent } from 'react'
import { hrefOf, type Page, type Target, visit } from './url.ts'

export type LinkProps = Omit<ComponentProps<'a'>, 'href' | 'id'> & Target & { readonly page: Page }

export function Link({ page, id, params, onClick, ...rest }: LinkProps) {
  const href = hrefOf(page, { ...(id === undefined ? {} : { id }), ...(params === undefined ? {} : { params }) })
  function follow(event: MouseEvent<HTMLAnchorElement>): void {
    onClick?.(event)
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    visit(href)
  }
  return <a {...rest} href={href} onClick={follow} />
}
