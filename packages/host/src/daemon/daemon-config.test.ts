import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { homePaths } from '../config/home.ts'
import type { LogLine } from '../terminal/log-line.ts'
import { openConfig } from './daemon-config.ts'

const home = mkdtempSync(join(tmpdir(), 'belay-config-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

test('what is written holds with the next question; a broken file changes nothing and is told once', () => {
  const lines: LogLine[] = []
  const file = homePaths(home).config
  mkdirSync(home, { recursive: true })
  const config = openConfig(home, line => lines.push(line))
  expect(config()).toEqual({})
  writeFileSync(file, '[directives]\nnames = ["RULES.md"]\n')
  expect(config().directives).toEqual({ names: ['RULES.md'] })
  writeFileSync(file, '[directives]\nnames = 7\n')
  expect([config().directives, config().directives]).toEqual([{ names: ['RULES.md'] }, { names: ['RULES.md'] }])
  expect(lines).toMatchObject([{ level: 'error', file, line: 2 }])
  writeFileSync(file, '[agents.codex]\ncontext_window = 9000\n')
  expect(config()).toEqual({ agents: { codex: { contextWindow: 9000 } } })
  rmSync(file)
  expect(config()).toEqual({})
})
