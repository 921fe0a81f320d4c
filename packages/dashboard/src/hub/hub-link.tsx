// A real link inside the hub's page.
import type { ComponentProps, MouseEvent } from 'react'
import { visit } from '../frame/url.ts'

export function HubLink({ href, onClick, ...rest }: ComponentProps<'a'> & { readonly href: string }) {
  function follow(event: MouseEvent<HTMLAnchorElement>): void {
    onClick?.(event)
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    visit(href)
  }
  return <a {...rest} href={href} onClick={follow} />
}
