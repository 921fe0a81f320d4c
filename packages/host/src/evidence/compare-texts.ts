// Two texts of one file as a unified diff that is as short as can be, within bounds of time.
import type { CompareTexts } from '@belay/core'
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff'

const DIFF_MS = 200
const MAX_EDITS = 20_000

export const compareTexts: CompareTexts = (names, before, after) =>
  createTwoFilesPatch(names.old, names.new, before, after, undefined, undefined, {
    context: 3,
    timeout: DIFF_MS,
    maxEditLength: MAX_EDITS,
    headerOptions: FILE_HEADERS_ONLY,
  }) ?? null
