// Every protection that the attack script takes out is still where it was, and nowhere else: else nobody would see that its attacks can work.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
type Edits = readonly { readonly file: string; readonly find: string }[]
const { PATCHES } = (await import(new URL('patch.mjs', import.meta.url).href)) as { PATCHES: Readonly<Record<string, Edits>> }

test.each(Object.entries(PATCHES))('%s', (_name, edits) => {
  const lost = edits.filter(({ file, find }) => readFileSync(`${root}${file}`, 'utf8').split(find).length !== 2)
  expect(lost).toEqual([])
})
