// The support table is what `belay conform` saw: every row is signed and as it was signed, of the version that we name, with every case there
// is, and the table in the guide is made of exactly these rows.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { HOST_AGENTS } from '../../packages/host/src/agent/agents.ts'
import { renderSupport } from '../../packages/host/src/conform/render.ts'
import { checkRow, type SignedRow } from '../../packages/host/src/conform/row.ts'
import { SCENES } from '../../packages/host/src/conform/scenes.ts'

const docs = fileURLToPath(new URL('../../docs', import.meta.url))
const tried = Object.entries(HOST_AGENTS).filter(([agent, { headless }]) => headless !== null && existsSync(rowFile(agent)))

function rowFile(agent: string): string {
  return join(docs, 'conform', `${agent}.json`)
}

function readRow(agent: string): SignedRow | null {
  const checked = checkRow(readFileSync(rowFile(agent), 'utf8'))
  return checked.ok ? checked.row : null
}

test('the agents of CI have rows, and every row is of an agent that can be tried', () => {
  const agents = tried.map(([agent]) => agent)
  expect(agents).toEqual(expect.arrayContaining(['claude-code', 'codex', 'gemini']))
  expect(readdirSync(join(docs, 'conform')).sort()).toEqual(agents.map(agent => `${agent}.json`).sort())
})

test.each(tried)('%s has a row of the version that we name, with every case', (agent, { headless }) => {
  const row = readRow(agent)
  expect([row?.agent, row?.version]).toEqual([agent, headless?.version])
  expect(row?.cases.map(({ id, title }) => ({ id, title }))).toEqual(
    SCENES.flatMap(({ cases }) => cases.map(({ id, title }) => ({ id, title }))),
  )
})

test.each(tried)('%s ignores nothing that is about a denied call', agent => {
  const ignored = readRow(agent)?.cases.filter(
    ({ id, state }) => state === 'ignored' && /deny|gone|hung|crash|mute|broken|refused/.test(id),
  )
  expect(ignored).toEqual([])
})

test('the table in the guide is made of these rows', () => {
  const rows = tried.map(([agent]) => readRow(agent)).filter(row => row !== null)
  const [, shown] = /<!-- conform -->\n([\s\S]*)<!-- \/conform -->/.exec(readFileSync(join(docs, 'guide', 'agents.md'), 'utf8')) ?? []
  expect(shown).toBe(renderSupport(rows))
})
