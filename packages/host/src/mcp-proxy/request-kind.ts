// What a request of the client asks for, as far as its answer is read.
import type { Catalog } from './tool-pins.ts'

export type Kind =
  | { readonly kind: 'other' | 'greeting' }
  | { readonly kind: 'list'; readonly isNext: boolean }
  | { readonly kind: 'catalog'; readonly catalog: Catalog }

export function kindOf(method: string, isNext: boolean): Kind {
  if (method === 'tools/list') return { kind: 'list', isNext }
  const listed = CATALOGS.get(method)
  if (listed !== undefined) return { kind: 'catalog', catalog: listed.catalog }
  return { kind: method === 'initialize' ? 'greeting' : 'other' }
}

/** What else a server lists that models read, and where in the answer it stands. */
export const CATALOGS: ReadonlyMap<string, { readonly catalog: Catalog; readonly field: string }> = new Map([
  ['prompts/list', { catalog: 'prompts', field: 'prompts' }],
  ['resources/list', { catalog: 'resources', field: 'resources' }],
  ['resources/templates/list', { catalog: 'templates', field: 'resourceTemplates' }],
])
