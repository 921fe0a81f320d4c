// Holds the examples against the documents themselves, beside the repository; run by `npm run test:shared`.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { DOCUMENTS, extractBlocks, readBlocks } from './read-blocks.ts'

const FILES = {
  genesis: 'hooks-prd-genesis',
  architecture: 'hooks-system-architecture',
  daemon: 'hooks-daemon-engine',
  guardrails: 'hooks-guardrails',
  library: 'hooks-library',
}

test.each(DOCUMENTS)('every example of %s is here, word for word', document => {
  const text = readFileSync(new URL(`../../../shared/specs/${FILES[document]}.md`, import.meta.url), 'utf8')
  expect(readBlocks(document)).toEqual(extractBlocks(text))
})
