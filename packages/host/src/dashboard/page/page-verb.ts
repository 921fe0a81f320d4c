// The verbs of the page by name, apart from what they do, so that the daemon can list them without loading it.
import type { PageApi } from '../../page/api.ts'

/** Those that no other part of the daemon has. */
export type PageVerb = Extract<keyof PageApi, `page.${string}`>

const NAMES: Readonly<Record<PageVerb, true>> = {
  'page.frame': true,
  'page.overview': true,
  'page.records': true,
  'page.facets': true,
  'page.record': true,
  'page.story': true,
  'page.rejudge': true,
  'page.proof': true,
  'page.verify': true,
  'page.lanes': true,
  'page.agent': true,
  'page.messages': true,
  'page.artifact': true,
  'page.markChecked': true,
  'page.approval': true,
  'page.preview': true,
  'page.commitment': true,
  'page.policy': true,
  'page.simulate': true,
  'page.try': true,
  'page.tryRecorded': true,
  'page.denials': true,
  'page.compare': true,
  'page.save': true,
  'page.allow': true,
}

export const PAGE_VERBS: readonly string[] = Object.keys(NAMES)
