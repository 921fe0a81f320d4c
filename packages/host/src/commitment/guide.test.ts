import { readFileSync } from 'node:fs'
import { parseGenesis } from '@belay/core/policy'
import { expect, test } from 'vitest'
import { parseConfig } from '../config/config-file.ts'
import { genesisChecks } from '../config/genesis-checks.ts'

const guide = readFileSync(new URL('../../../../docs/guide/accountability.md', import.meta.url), 'utf8')
const blocks = (language: string): readonly string[] =>
  [...guide.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map(match => match[1] ?? '')

test.each(blocks('yaml'))('a policy of the guide is good: %s', text => {
  expect(parseGenesis(text, 'guide.key', genesisChecks)).toMatchObject({ ok: true, warnings: [] })
})

test('the config of the guide is good', () => {
  expect(blocks('toml').map(text => parseConfig(text, 'config.toml').ok)).toEqual([true])
})
