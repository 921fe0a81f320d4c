import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordPath, writeRecord } from '../install/install-record.ts'
import { findAgents } from './find-agents.ts'

test('an agent is found by its program, or because Belay was installed into it', () => {
  const home = mkdtempSync(join(tmpdir(), 'belay-found-'))
  const bin = join(home, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'codex'), '#!/bin/sh\n', { mode: 0o755 })
  expect(findAgents(home, '/nowhere')).toEqual([])
  expect(findAgents(home, `/nowhere:${bin}`)).toEqual(['codex'])
  const record = { agent: 'cursor', scope: 'user', projectRoot: null, files: [], folders: [] } as const
  writeRecord(recordPath(home, 'cursor', { scope: 'user', projectRoot: home }), record)
  expect(findAgents(home, bin)).toEqual(['codex', 'cursor'])
  rmSync(home, { recursive: true })
})
