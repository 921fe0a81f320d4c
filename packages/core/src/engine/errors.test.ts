import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { HANDLER_ERRORS } from '../handler/failure.ts'
import { ERRORS } from '../hook/errors.ts'

const page = readFileSync(new URL('../../../../docs/errors.md', import.meta.url), 'utf8')

test('docs/errors.md lists the errors of hooks and handlers, all of them, in the same words', () => {
  const written = page.split('\n').filter(line => /^\| `BELAY_(HOOK|HANDLER|HTTP|LLM|MCP)_/.test(line))
  const known = Object.entries({ ...ERRORS, ...HANDLER_ERRORS }).map(
    ([code, { message, remedy }]) => `| \`${code}\` | ${message} | ${remedy} |`,
  )
  expect(written.sort()).toEqual(known.sort())
})
